"""The command that lets a shell complete the others: ``completion``."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..ground.errors import MissingExtra
from .parsing import new_parser
from .registry import Answer, command

SHELLS = ("bash", "zsh", "fish", "tcsh")
"""Shells that shtab writes scripts for."""
WHERE = """write it where your shell looks for such scripts, once, and again after an update:
  bash  symknot completion bash > ~/.local/share/bash-completion/completions/symknot
  zsh   symknot completion zsh > ~/.zfunc/_symknot          (with ~/.zfunc in fpath before compinit)
  fish  symknot completion fish > ~/.config/fish/completions/symknot.fish
  tcsh  symknot completion tcsh >> ~/.tcshrc"""
"""For ``symknot completion --help``."""


def _arguments_of_completion(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = WHERE
    parser.add_argument("shell", choices=SHELLS)


@command("completion", help="print a script that makes the TAB key complete commands, options and files",
         arguments=_arguments_of_completion, json=True)
def run_completion(arguments: argparse.Namespace) -> Answer:
    """Print the script of a shell, with every command that is registered."""
    try:
        import shtab
    except ImportError:
        raise MissingExtra("shtab", "completion") from None
    parser, _ = new_parser(None)
    _complete_files(parser)
    text = shtab.complete(parser, arguments.shell)
    return Answer(text, {"kind": "Script", "target": arguments.shell, "script": text})


def _complete_files(parser: argparse.ArgumentParser) -> None:
    """Tell shtab which arguments are files, throughout."""
    import shtab
    for action in parser._actions:
        if action.type is Path:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                _complete_files(inner)
