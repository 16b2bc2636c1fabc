"use strict";
// A click on a link of the picture, or an address that ends in its name, opens the card of the link alone.
const cards = Array.from(document.querySelectorAll("#cards details"));
function show(wanted) {
  for (const card of cards) {
    card.open = card === wanted;
    if (card.open) card.scrollIntoView({ block: "nearest" });
  }
}
for (const link of document.querySelectorAll(".picture .dw-link")) {
  const { from, to } = link.dataset;
  const card = cards.find(({ dataset }) =>
    (dataset.from === from && dataset.to === to) || (dataset.from === to && dataset.to === from));
  if (!card) continue;
  link.classList.add("has-card");
  link.addEventListener("click", () => show(card));
}
function follow() {
  const card = cards.find(({ id }) => `#${id}` === location.hash);
  if (card) show(card);
}
addEventListener("hashchange", follow);
follow();
