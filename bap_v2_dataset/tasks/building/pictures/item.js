// Draws the boards.
const figures = JSON.parse(document.getElementById("data").textContent);
const options = { displaylogo: false, responsive: true, displayModeBar: "hover" };
Promise.all(figures.map((figure, number) => Plotly.newPlot(`board-${number}`, figure.data, figure.layout, options)))
  .then(() => { document.body.dataset.ready = "true"; });
