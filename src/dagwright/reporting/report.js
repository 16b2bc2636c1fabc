"use strict";
// A click on an edge of the picture, or an address that ends in its name, opens the card of that edge alone.
const panel = document.querySelector("#cards");
const cards = Array.from(panel.querySelectorAll("details"));
const links = new Map();
panel.classList.add("one");
function show(wanted) {
  for (const card of cards) {
    card.open = card === wanted;
    links.get(card)?.classList.toggle("chosen", card.open);
  }
  wanted.scrollIntoView({ block: "nearest" });
}
for (const link of document.querySelectorAll(".network .dw-link")) {
  const { from, to } = link.dataset;
  const card = cards.find(({ dataset }) =>
    (dataset.from === from && dataset.to === to) || (dataset.from === to && dataset.to === from));
  if (!card) continue;
  links.set(card, link);
  link.classList.add("has-card");
  link.setAttribute("tabindex", "0");
  link.setAttribute("role", "button");
  link.addEventListener("click", () => show(card));
  link.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    show(card);
  });
}
for (const picture of document.querySelectorAll(".picture")) {
  picture.scrollLeft = (picture.scrollWidth - picture.clientWidth) / 2;
}
function follow() {
  const card = cards.find(({ id }) => `#${id}` === location.hash);
  if (card) show(card);
}
addEventListener("hashchange", follow);
follow();
