// Draws the boards; those that are seen from the same side rotate together.
const figures = JSON.parse(document.getElementById("data").textContent);
const boards = figures.map((_, number) => document.getElementById(`board-${number}`));
const options = { displaylogo: false, responsive: true, displayModeBar: "hover" };
let rotating = false;
Promise.all(figures.map((figure, number) => Plotly.newPlot(boards[number], figure.data, figure.layout, options))).then(() => {
  boards.forEach((board, number) => {
    const rotated = (change) => {
      const camera = change["scene.camera"];
      if (!camera || rotating) return;
      rotating = true;
      const others = boards.filter((other, place) => other !== board && figures[place].side === figures[number].side);
      Promise.all(others.map((other) => Plotly.relayout(other, { "scene.camera": camera }))).finally(() => { rotating = false; });
    };
    board.on("plotly_relayouting", rotated);
    board.on("plotly_relayout", rotated);
  });
  document.body.dataset.ready = "true";
});
