// Draws the boards; those that are seen from the same side turn together.
const figures = JSON.parse(document.getElementById("data").textContent);
const boards = figures.map((_, number) => document.getElementById(`board-${number}`));
const options = { displaylogo: false, responsive: true, displayModeBar: "hover" };
let turning = false;
Promise.all(figures.map((figure, number) => Plotly.newPlot(boards[number], figure.data, figure.layout, options))).then(() => {
  boards.forEach((board, number) => {
    const turned = (change) => {
      const camera = change["scene.camera"];
      if (!camera || turning) return;
      turning = true;
      const others = boards.filter((other, place) => other !== board && figures[place].side === figures[number].side);
      Promise.all(others.map((other) => Plotly.relayout(other, { "scene.camera": camera }))).finally(() => { turning = false; });
    };
    board.on("plotly_relayouting", turned);
    board.on("plotly_relayout", turned);
  });
  document.body.dataset.ready = "true";
});
