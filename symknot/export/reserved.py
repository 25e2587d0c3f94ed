"""Words that a variable must not have as its name, one table per system.

Singular's words (commands, and the procedures that its scripts load) and Macaulay2's (all that
begin in lower case) were listed by the programs themselves: Singular 4.4.1 and 4.3.1, Macaulay2 1.26.06
and 1.21, those of the wheels and of Debian 12.  A test asks again.
"""

from __future__ import annotations

import keyword


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SINGULAR = _words("""
    Absfact absFactorize absFactorizeBCG absPrimdecGTZ absPrimdecGTZE absValue addcol addcores addNvarsTo addrow
    addvarsTo alias align allprint AltVarEnd AltVarStart and Ann apply ASCII ASSUME attrib bareiss betti bigint
    bigintmat bigintvec binomial blowup0 bracket branchTo break breakpoint changechar changeord changeordTo
    changevar char charstr chinrem cleardenom close coef coeffs colred compareTasks compress concat content continue
    contract convhull copyTask createTask cring crossprod cyclic datetime dbprint def defined defring defringp
    defrings deg degBound degree delete deleteSublist denominator det diag diff dim div division dsum dump echo
    elemSymmId elemSymmPoly elim Elim elim1 elim2 eliminate elimRing else embedMat envelope equidim equidimMax
    equidimMaxEHV equiRadical ERROR eval example execute exit export exportto extendring Exterior exteriorBasis
    exteriorPower extgcd facstd factmodd factorH factorial factorize farey fetch fetchall fglm fglmquot fibonacci
    find findimAlgebra finduni flatten Float for forif fprintf freemodule freerank fres frwalk gcd GCD gcdTest gen
    General genericid genericmat getArguments getCommand getcores getdump getResult getState groebner Gweights
    hasAlgExtensionCoefficient hasCommutativeVars hasFieldCoefficient hasGFCoefficient hasGlobalOrdering
    hasMixedOrdering hasNumericCoeffs hasQQCoefficient hasTransExtensionCoefficient hasZpCoefficient headStand help
    highcorner hilb hilbPoly hilbRing homog hres id2mod ideal idealsEqual if imap imapall impart importfrom IN
    indepSet Inout insert int internal interpolation interred intersect intmat intvec isCentral isCommutative
    isLieType isNC isQuotientRing IsSCA isSubModule isWeyl jacob janet jet katsura kbase keepring kernel kill
    killall killattrib killTask kmemory koszul kres laguerre lcm lead leadcoef leadexp leadmonom LIB lift liftstd
    link list listvar load lprint lres ludecomp luinverse lusolve makeHeisenberg makeModElimRing makeWeyl map mapall
    Matrix matrix max maxcoef maxdeg maxdeg1 maxideal memory min minAss minAssChar minAssCharE minAssGTZ minAssGTZE
    minbase mindeg mindeg1 minor minpoly minres mod mod2id modFinduni Modfinduni Modular modular module modulo
    moduloSlim monitor monomial mpresmat mres mstd mult multBound multcol multiplicity multrow nameof names
    ncalgebra ncols ncRelations Nctools ndcond newline newMaxIndependSetDp newstruct newtonDiag NF nFinduni noether
    normalize not npars nres nrows nselect number numerator nvars open oppose opposite option optionIsSet or ord
    ordstr outer package pagewidth par par2varRing Parallel parallelTestAND parallelTestOR parallelWaitAll
    parallelWaitFirst parallelWaitN parameter pardeg parstr pause permcol permrow pmat pollTask poly polyBucket
    Polylib power preimage preimageLoc prepareAss primaryTest Primdec primdec primdecGTZ primdecGTZE primdecSY
    primdecSYE prime primecoeffs primefactors primes print printf printlevel printTask proc product prune pyobject
    qhweight QQ qrds qring qslimgb quit quot quote quotient quotient1 quotient2 quotient3 quotient4 quotient5
    quotientList radical radicalEHV Random random randomBinomial randomid randomLast randommat rank read reduce
    regularity repart res reservedName reservedNameList resolution Resources restart resultant RETURN return
    rightModulo rightNF rightstd rightStd rightSyz Ring ring ringlist ringtensor ringweights rMacaulay rootofUnity
    rowred rtimer rvar sat sba select select1 semaphore sep setcores setring short show showrecursive simplex
    simplify size skewmat slimgb smatrix sort sortvec sparseHomogIdeal sparseid sparsemat sparsematrix sparsepoly
    sparsetriag split sprintf sqrfree sres Standard startTasks status std stdfglm stdhilb stopTask string submat
    subrInterred subst substitute sum superCommutative SuperCommutative symmat symmetricBasis symmetricPower system
    syz tab task Tasks tensor test testPrimary testPrimaryE timeFactorize timer timeStd Top TRACE trace transpose
    triagmatrix Triang triangL triangLfak triangM triangMH twostd type typeof unitmat univariate UpOneMatrix
    uressolve vandermonde var variables varstr vdim vector verbose voice waitall waitAllTasks waitfirst waitTasks
    watchdog wedge weight weightedRing weightKB Weyl while whileif write zerodec zeroRad ZZ
    algeDeco algeDecoE extF minAssE minAssPrimesold minAssPrimesoldE minSat newMaxIndependSetLp zeroSepClos zeroSp
    QQ ZZ Current basering dp lp rp Dp ds ls Ds wp Wp ws Ws real complex proc integer
    """)

MACAULAY2 = _words("""
    about abs accumulate acos acosh acot acoth addCancelTask addCone addDependencyTask addEndFunction addHook
    addPolyhedron addStartTask adjoint affineHull affineImage affinePreimage agm alarm all allowableThreads ambDim
    ambient analyticSpread ancestor ancestors and ann annihilator antipode any append applicationDirectory
    applicationDirectorySuffix apply applyKeys applyPairs applyTable applyValues apropos arXiv areCompatible
    argument ascii asin asinh ass assert associatedGradedRing associatedPrimes atEndOfFile atan atan2 atanh
    augmentationMap autoload backtrace barycentricTriangulation baseFilename baseName baseRing baseRings basis
    beginDocumentation benchmark betti between binomial bipyramid blockMatrixForm borel break breakpoint cache
    cacheValue canUseHilbertHint cancelTask canonicalBundle canonicalMap canonicalTruncation capture catch
    ccRefinement ceiling cellDecompose centerString centroid changeBase changeDirectory char characters check
    checkDegrees chi cite class clean clearAll clearEcho clearOutput close closeIn closeOut code codim coefficient
    coefficientRing coefficients cohomology coimage coker cokernel collectGarbage columnAdd columnMult columnPermute
    columnRankProfile columnSwap columnate combine commandInterpreter commandLine commonFace commonRing commonest
    comodule compactMatrixForm compareExchange complement complete complex component components compose compositions
    compress concatenate concentration conductor cone coneFromHData coneFromInequalities coneFromRays coneFromVData
    cones conjugate connectingExtMap connectingMap connectingTorMap connectionCount constantStrand contains content
    continue contract convexHull conwayPolynomial copy copyDirectory copyFile copyright cos cosh cot cotangentSheaf
    coth cover coverMap coverageSummary cpuTime createTask crossPolytope csc csch current currentColumnNumber
    currentDirectory currentFileDirectory currentFileName currentLayout currentPackage currentPosition
    currentRowNumber currentString currentTime cyclicPolytope cylinder dd debug debugError debugLevel debuggingMode
    decompose deepSplice default defaultPrecision degree degreeGroup degreeLength degrees degreesMonoid degreesRing
    delete demark denominator depth describe det determinant diagonalMatrix diameter dictionary dictionaryPath diff
    difference dim directProduct directSum disassemble discriminant dismiss distinguished divideByVariable do doc
    docExample docTemplate document drop dual dualCone dualFaceRepresentationMap eagonNorthcott
    eagonNorthcottComplex echoOff echoOn edit effCone effGenerators ehrhart eigenvalues eigenvectors eint
    elapsedTime elapsedTiming elements eliminate else emptyPolyhedron end endPackage endl engineDebugLevel entries
    environment epicResolutionMap erase erf erfc error errorDepth euler eulers even examples except exchange exec
    exit exp expectedReesIdeal expm1 exponents export exportFrom exportMutable expression extend exteriorPower
    fVector faceFan faces facesAsCones facesAsPolyhedra facets factor false fan fanFromGfan fileDictionaries
    fileExecutable fileExists fileExitHooks fileLength fileMode fileReadable fileTime fileWritable fillMatrix
    findFiles findHeft findProgram findSynonyms finish first firstkey fittingIdeal flagLookup flatten flattenRing
    flip floor flush fold for forceGB fork format formation fpLLL frac fraction frames freeResolution from
    fromDividedPowers fromDual functionBody gb gbRemove gbSnapshot gbTrace gcd gcdCoefficients gcdLLL genera
    generateAssertions generator generators genericMatrix genericSkewMatrix genericSymmetricMatrix gens genus get
    getChangeMatrix getGlobalSymbol getIOThreadMode getNetFile getNonUnit getPrimeWithRootOfUnity getSymbol getWWW
    getc getenv global globalAssign globalAssignFunction globalAssignment globalAssignmentHooks
    globalReleaseFunction gradedModule gramm graphIdeal graphRing groebnerBasis groupID halfspaces handleInterrupts
    hash hashTable headlines heft height help hermite hh hilbertBasis hilbertFunction hilbertPolynomial
    hilbertSeries hirzebruch hold homeDirectory homogenize homology homomorphism homotopyMap hooks horizontalJoin
    horseshoeResolution html httpHeaders hypercube hyperplanes hypertext icFracP icFractions icMap icPIdeal id ideal
    idealSheaf idealizer identity if ii image imageFan imaginaryPart importFrom in inInterior incompCones
    incompPolyhedra incomparable independentSets indeterminate index indexComponents indices inducedMap
    inducesWellDefinedMap infinity info infoHelp input insert installAssignmentMethod installHilbertFunction
    installMethod installPackage installedPackages instance instances integralClosure integrate
    interiorLatticePoints interiorPoint interiorVector interpreterDepth intersect intersectInP intersection interval
    inverse inverseErf inversePermutation inverseRegularizedBeta inverseRegularizedGamma inverseSystem
    irreducibleCharacteristicSeries irreducibleDecomposition isANumber isAffineRing isBorel isCanceled isCommutative
    isCompact isComplete isComplexMorphism isConstant isDirectSum isDirectory isEmpty isExact isFace isField
    isFinite isFinitePrimeField isFree isFreeModule isFullDimensional isGlobalSymbol isHomogeneous isIdeal
    isInfinite isInjective isInputFile isIsomorphic isIsomorphism isLLL isLatticePolytope isLinearType isListener
    isLocallyFree isMember isModule isModuleFinite isMonomialIdeal isMutable isNormal isNullHomotopic
    isNullHomotopyOf isOpen isOutputFile isPointed isPolynomialRing isPolytopal isPrimary isPrime isPrimitive
    isProjective isPseudoprime isPure isQuasiIsomorphism isQuotientModule isQuotientOf isQuotientRing isReady isReal
    isReduction isReflexive isRegularFile isRing isScalar isShortExactSequence isSimplicial isSkewCommutative
    isSmooth isSorted isSquareFree isStandardGradedPolynomialRing isSubmodule isSubquotient isSubset
    isSupportedInZeroLocus isSurjective isTable isUnit isVeryAmple isWellDefined isWeylAlgebra isc isomorphism
    iterator jacobian jacobianDual join ker kernel kernelLLL kernelOfLocalization keys kill koszul koszulComplex
    last lastMatch latticePoints latticeVolume lcm leadCoefficient leadComponent leadMonomial leadTerm left length
    lift liftMapAlongQuasiIsomorphism liftable limitFiles limitProcesses linSpace lineNumber linealitySpace
    linearTransform lines linkFile list listForm listLocalSymbols listSymbols listUserSymbols lngamma load loadDepth
    loadPackage loadedFiles loadedPackages local localDictionaries localize locate lock log log1p longExactSequence
    lookup lookupCount lowerLeft lowerRight makeDirectory makeDocumentTag makePackageIndex makeS2 map markedGB match
    mathML matrix max maxAllowableThreads maxCones maxExponent maxFace maxPolyhedra maxPosition member memoize
    memoizeClear memoizeValues merge mergePairs method methodOptions methods midpoint min minExponent minFace
    minPosition minPres mingens mingle minimalBetti minimalNonFaces minimalPresentation minimalPresentationMap
    minimalPresentationMapInv minimalPrimes minimalReduction minimize minimizeFilename minimizingMap minkSummandCone
    minkowskiSum minors minprimes minus mixedVolume mkdir mod module modulo monoid monomialCurveIdeal monomialIdeal
    monomialSubideal monomials moveFile multidegree multidoc multigraded multiplicity mutable mutableIdentity
    mutableMatrix nVertices naiveTruncation nanosleep needs needsPackage nefCone nefGenerators net netList new
    newClass newCoordinateSystem newNetFile newPackage newRing newline newtonPolytope next nextPrime nextkey norm
    normalCone normalFan not notImplemented notify null nullHomotopy nullSpace nullaryMethods nullhomotopy
    numColumns numRows numTBBThreads number numcols numerator numeric numericInterval numgens numrows
    objectiveVector odd oeis of ofClass on oo ooo oooo openDatabase openDatabaseOut openFiles openIn openInOut
    openListener openOut openOutAppend operatorAttributes options or order override pack package packageTemplate pad
    pager pairs parallelApply parent parse part partition partitions parts path pdim peek permanents permutations
    pfaffian pfaffians pi pivots plus poincare poincareN polar polarFace polarize poly polyhedra polyhedralComplex
    polyhedron polyhedronFromHData polyhedronFromInequalities polylog polytope posHull posOrthant position positions
    power powermod precision prefixDirectory prefixPath preimage prepend presentation pretty primaryComponent
    primaryDecomposition print printString printWidth printerr printingAccuracy printingLeadLimit printingPrecision
    printingSeparator printingTimeLimit printingTrailLimit processID product profile profileSummary programPaths
    projectiveHilbertPolynomial promote protect proximum prune pruneComplex pruneDiff pruneUnit pruningMap
    pseudoRemainder pseudocode pullback pullbackMaps pushForward pushFwd pushout pushoutMaps pyramid quit quotient
    quotientRemainder radical radicalContainment random randomComplexMap randomElement randomKRationalPoint
    randomMutableMatrix randomSubset rank rays read readDirectory readPackage readlink realPart realpath
    recursionDepth recursionLimit reduceHilbert reducedRowEchelonForm reductionNumber reesAlgebra reesAlgebraIdeal
    reesIdeal regSeqInIdeal regex regexQuote registerFinalizer regularSubdivision regularTriangulation regularity
    regularizedBeta regularizedGamma relations relativizeFilename remainder remove removeDirectory removeFile
    removeLowestDimension reorganize replace res reshape resolution resolutionMap restart resultant return
    returnCode reverse right ring ringFromFractions rootPath rootURI roots rotate round rowAdd rowMult rowPermute
    rowRankProfile rowSwap rsort run runHooks runLengthEncode runProgram same saturate saveSession scan scanKeys
    scanLines scanPairs scanValues schedule schreyerOrder scriptCommandLine searchPath sec sech secondaryPolytope
    seeParsing select selectInSubring selectKeys selectPairs selectValues selectVariables separate separateRegexp
    sequence serialNumber set setEcho setGroupID setIOExclusive setIOSynchronized setIOUnSynchronized setRandomSeed
    setup setupEmacs setupLift setupPromote sheaf sheafExt sheafHom shield show showClassStructure showHtml
    showStructure showTex showUserStructure shuffle sign simpleDocFrob simplex sin singularLocus sinh size size2
    skeleton sleep smallestFace smithNormalForm smoothSubfan solve someTerms sort sortColumns source span
    specialFiber specialFiberIdeal splice splitWWW sqrt stack stacksProject stacktrace standardForm standardPairs
    stanleyReisnerRing stashValue statePolytope status stdSimplex stderr stdio stellarSubdivision step stopIfError
    store sub sublatticeBasis sublists submatrix submatrixByDegrees subquotient subscript subsets substitute
    substring subtable sum super superscript support switch sylvesterMatrix symbol symbolBody symlinkDirectory
    symlinkFile symmetricAlgebra symmetricAlgebraIdeal symmetricKernel symmetricPower synonym syz table tailCone
    take tally tan tangentCone tangentSheaf tanh target taskResult temporaryFileName tensor tensorAssociativity
    tensorCommutativity terms testExample testHunekeQuestion tests tex texMath then threadLocal threadVariable throw
    time times timing to toAbsolutePath toCC toCCi toChainComplex toDividedPowers toDual toExternalString toField
    toList toLower toMutableComplex toRR toRRi toSequence toString toSublattice toUpper top topCoefficients
    topComponents topLevelMode torSymmetry trace transpose trap triangulate trim true truncate truncateOutput try
    tryLock tutorial typicalValues ultimate unbag uncurry undocumented uniform uninstallAllPackages uninstallPackage
    union unique uniquePermutations unlock unsequence unstack upperLeft upperRight urlEncode use userSymbols utf8
    utf8check utf8substring value values variety vars vector versalEmbedding version vertexEdgeMatrix
    vertexFacetMatrix vertices viewHelp volume wait wedgeProduct weightRange when whichGm while width wikipedia wrap
    xor yonedaExtension yonedaMap yonedaProduct youngest zero zeta
    addStartFunction chainComplex gradedModuleMap installMinprimes syzygyScheme
    """)

COCOA5 = _words("""
    abs adj append apply ascii binomial ceil characteristic close codomain coefficients colon comp concat content
    count cyclotomic date decr deg degree den denominator depth det diff dim discriminant domain elim env error eval
    exponents factor factorial field first flatten floor format gcd gens gin graph homog ideal image implicit incr
    indent indet indets insert interreduce interreduced intersection iroot isqrt it jacobian ker kernel last lcm len
    log lpp make mantissa mat matrix max min minimalized minimized minors mod module monic multiplicity not num one
    permutations pfaffians power preimage primary product radical random rank reseed resultant reverse reversed rgin
    ring round saturate shape shuffle sign sort sorted spoly submat submodule subst sum support syz tail transposed
    type untagged variables wdeg zero
    """)

COCOA5_KEYWORDS = "(?i:" + "|".join(sorted(_words("""
    alias and block break by catch ciao clear continue define deglex degrevlex delete describe destroy do elif else
    end endalias endblock endcatch enddefine endfor endforeach endfunc endif endpackage endrepeat endtry endusing
    endwhile exit export false for foreach func if importbyref importbyvalue in isdefined isin lambda lex load on
    opt or package posto print println protect quit record ref repeat return set skip source sourceregion step then
    time to toplevel topos true try unprotect unset until uponerror use using var while xel
    """))) + ")"
"""Regular expression: keywords count in any case."""

MAGMA = _words("""
    adj and assert assert2 assert3 assigned break by car case cat catch clear cmpeq cmpne continue cop declare
    default delete diff div do elif else elt end eq error eval exists exit ext false for forall forward fprintf
    freeze func function ge gt hom ideal if iload import in is iso join lattice le lideal load loc local lt map meet
    mod ne not notadj notin notsubset or pmap print printf proc procedure quit quo random read readi rec recformat
    repeat require requirege requirerange restore return rideal save sdiff select sub subset then time to true try
    until vprint vprintf vtime when where while xor
    """)

MAPLE = _words("""
    abs and args array assuming break by cat catch coeff complex constant degree description diff digamma do done
    elif else end error eval evalb evalf exp expand export factor false fi finally float for fraction from gamma
    global has if implies in indeterminate infinity int integer intersect lcoeff list local log map max min minus
    mod module name nargs next nops not nprocessed numeric od op option options or plex print printf proc procname
    quit rational read rest return save seq series set sin solve sort stop string subs subset sum symbol table tdeg
    then thismodule to true try type unassign undefined union use uses variables wdeg while xor zeta
    """)

SAGE = frozenset(keyword.kwlist) | frozenset(keyword.softkwlist) | _words("""
    CC I N PolynomialRing QQ RR RealField SR ZZ all any bool dict e enumerate factorial float gens i ideal int lcm
    len list map max min n pi print prod range reduce repr set sorted str sum tuple type var vector zip
    """)
