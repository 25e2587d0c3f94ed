"use strict";
(() => {
  const content = JSON.parse(document.getElementById("content").textContent);
  const dark = window.matchMedia("(prefers-color-scheme: dark)");

  // ------------------------------------------------------------------------------------------------- copy buttons

  function copiedByHand(text) {
    const area = document.createElement("textarea");
    area.value = text;
    area.setAttribute("readonly", "");
    area.style.position = "fixed";
    area.style.opacity = "0";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }

  async function copied(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {                                   // no permission, or a page from a place that browsers do not trust
      return copiedByHand(text);
    }
  }

  for (const button of document.querySelectorAll("button[data-copy]")) {
    const label = button.textContent;
    button.addEventListener("click", async () => {
      const done = await copied(content.texts[button.dataset.copy]);
      button.textContent = done ? "copied" : "could not copy";
      button.classList.toggle("done", done);
      setTimeout(() => {
        button.textContent = label;
        button.classList.remove("done");
      }, 1600);
    });
  }

  // -------------------------------------------------------------------------------------------------------- views

  const escaped = (name) => name.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/%\{/g, "%&#123;");

  // at axes in space plotly.js knows tags, but no references
  const brokenTags = (name) => name.replace(/</g, "<\u200b");

  // "@role" in a figure is a colour of the present scheme
  function coloured(value, palette) {
    if (typeof value === "string") return value.startsWith("@") && value.slice(1) in palette ? palette[value.slice(1)] : value;
    if (Array.isArray(value)) return typeof value[0] === "number" ? value : value.map((part) => coloured(part, palette));
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, coloured(part, palette)]));
  }

  function dressed(layout, palette) {
    const axis = { gridcolor: palette.grid, zerolinecolor: palette.grid, linecolor: palette.soft, automargin: true };
    const font = { family: getComputedStyle(document.body).fontFamily, size: 12.5, color: palette.ink };
    const out = { ...layout, paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", font,
                  hoverlabel: { bgcolor: palette.paper, bordercolor: palette.soft, font: { color: palette.ink } } };
    for (const key of Object.keys(out).filter((name) => /^[xy]axis/.test(name))) out[key] = { ...axis, ...out[key] };
    if (out.scene) {
      const space = { ...axis, backgroundcolor: palette.paper, showbackground: false, automargin: undefined };
      out.scene = { ...out.scene };
      for (const key of ["xaxis", "yaxis", "zaxis"]) out.scene[key] = { ...space, ...out.scene[key] };
    }
    return out;
  }

  // the columns of more variables than a picture has axes, as those that were chosen
  function placed(view, chosen) {
    const letters = ["x", "y", "z"].slice(0, chosen.length);
    const hover = chosen.map((place, k) => `${escaped(view.names[place])}: %{${letters[k]}:.6g}`).join("<br>");
    const data = view.figure.data.map(({ columns, ...trace }) => {
      const points = Object.fromEntries(chosen.map((place, k) => [letters[k], columns[place]]));
      const extra = trace.meta && trace.meta.hover ? `<br>${trace.meta.hover}` : "";
      return { ...trace, ...points, type: chosen.length === 3 ? "scatter3d" : "scatter", hovertemplate: `${hover}${extra}<extra></extra>` };
    });
    const axes = Object.fromEntries(chosen.map((place, k) => [`${letters[k]}axis`, {
      title: { text: chosen.length === 3 ? brokenTags(view.names[place]) : escaped(view.names[place]) }, ...(view.logarithmic ? { type: "log" } : {}) }]));
    const layout = chosen.length === 3 ? { ...view.figure.layout, scene: { ...axes, aspectmode: "cube", camera: content.camera } } : { ...view.figure.layout, ...axes };
    return { data, layout };
  }

  function draw(view) {
    const place = document.getElementById(view.id);
    const palette = content.palettes[dark.matches ? "dark" : "light"];
    let figure = view.figure;
    if (view.names) {
      const selects = [...document.querySelectorAll(`select[data-view="${view.id}"]`)];
      figure = placed(view, selects.map((select) => Number(select.value)).filter((number) => number >= 0));
    }
    const shown = { data: coloured(figure.data, palette), layout: dressed(coloured(figure.layout, palette), palette) };
    // a view that was turned or zoomed stays as it is when only colours change
    shown.layout.uirevision = shown.data.length ? `${shown.data[0].type}` : "";
    return Plotly.react(place, shown.data, shown.layout, { responsive: true, displaylogo: false, modeBarButtonsToRemove: ["lasso2d", "select2d"] });
  }

  const views = content.views;
  for (const view of views) {
    draw(view);
    for (const select of document.querySelectorAll(`select[data-view="${view.id}"]`)) select.addEventListener("change", () => draw(view));
  }
  dark.addEventListener("change", () => views.forEach(draw));
})();
