// The interactive network: clicks on bars and sliders set evidence, Python answers with a new picture.
//
// Names of nodes and states reach the page as text only: the picture comes escaped from Python, everything
// else is set with textContent.

function element(tag, text, parent) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (parent) parent.appendChild(made);
  return made;
}

function render({ model, el }) {
  const root = element("div", undefined, el);
  root.className = "dw-explorer";
  const bar = element("div", undefined, root);
  const picture = element("div", undefined, root);
  const panel = element("div", undefined, root);
  bar.style.cssText = "display:flex;gap:0.8em;align-items:center;margin:0.3em 0;flex-wrap:wrap";
  picture.style.cssText = "overflow:auto;max-height:75vh";
  panel.style.cssText = "margin:0.5em 0";
  let selected = null;

  const evidence = () => ({ ...model.get("evidence") });
  const send = (next) => {
    model.set("evidence", next);
    model.save_changes();
  };

  // A click on a bar observes that state; a click on the observed state takes it back.
  const toggle = (node, state) => {
    const next = evidence();
    if (next[node] === state) delete next[node];
    else next[node] = state;
    send(next);
  };

  picture.addEventListener("click", (event) => {
    const node = event.target.closest("[data-node]");
    if (!node) return;
    selected = node.getAttribute("data-node");
    const state = event.target.closest("[data-state]");
    if (state) toggle(selected, Number(state.getAttribute("data-state")));
    showPanel();
  });

  function showPicture() {
    picture.innerHTML = model.get("picture");
    for (const one of picture.querySelectorAll("[data-state], [data-node]")) one.style.cursor = "pointer";
  }

  function showBar() {
    bar.replaceChildren();
    const states = model.get("states");
    const names = Object.keys(model.get("evidence"));
    element("span", names.length ? "observed:" : "click a bar to observe a state", bar);
    for (const name of names) {
      const value = model.get("evidence")[name];
      const words = typeof value === "number" ? states[name][value] : "likelihoods";
      const button = element("button", `${name}: ${words} ×`, bar);
      button.title = "take this back";
      button.addEventListener("click", () => {
        const next = evidence();
        delete next[name];
        send(next);
      });
    }
    if (names.length) {
      const probability = model.get("probability");
      if (probability !== null) element("span", `probability ${probability.toPrecision(3)}`, bar);
      element("button", "clear", bar).addEventListener("click", () => send({}));
    }
    const problem = element("span", model.get("problem"), bar);
    problem.setAttribute("role", "alert");
    problem.style.color = "#d55e00";
  }

  // Sliders: how likely what was seen is under each state of the node.
  function showPanel() {
    panel.replaceChildren();
    if (selected === null) return;
    const states = model.get("states")[selected];
    const now = model.get("evidence")[selected];
    element("b", `What was seen of ${selected}, how likely it is under each state`, panel);
    const rows = states.map((state, position) => {
      const label = element("label", undefined, panel);
      label.style.cssText = "display:flex;gap:0.6em;align-items:center;margin:0.15em 0";
      const name = element("span", state, label);
      name.style.cssText = "min-width:8em;text-align:right";
      const slider = element("input", undefined, label);
      slider.type = "range";
      slider.min = 0;
      slider.max = 1;
      slider.step = 0.01;
      slider.value =
        now === undefined ? 1 : typeof now === "number" ? Number(now === position) : now[position];
      slider.setAttribute("aria-label", `${selected}: ${state}`);
      const shown = element("span", Number(slider.value).toFixed(2), label);
      slider.addEventListener("input", () => (shown.textContent = Number(slider.value).toFixed(2)));
      slider.addEventListener("change", () => {
        const likelihoods = rows.map((one) => Number(one.value));
        const next = evidence();
        if (likelihoods.every((one) => one === 1)) delete next[selected];
        else next[selected] = likelihoods;
        send(next);
      });
      return slider;
    });
  }

  const all = () => {
    showPicture();
    showBar();
    showPanel();
  };
  model.on("change:picture", showPicture);
  model.on("change:evidence", () => {
    showBar();
    showPanel();
  });
  model.on("change:probability", showBar);
  model.on("change:problem", showBar);
  all();
}

export default { render };
