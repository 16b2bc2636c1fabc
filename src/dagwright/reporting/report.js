"use strict";
// A click on a link of the picture opens its card, and closes the others.
const cards = Array.from(document.querySelectorAll("#cards details"));
for (const link of document.querySelectorAll(".picture .dw-link")) {
  link.style.cursor = "pointer";
  link.addEventListener("click", () => {
    const { from, to } = link.dataset;
    for (const card of cards) {
      const { from: start, to: end } = card.dataset;
      card.open = (start === from && end === to) || (start === to && end === from);
      if (card.open) card.scrollIntoView({ block: "nearest" });
    }
  });
}
