(() => {
  const known = new WeakSet(), fitted = new WeakSet();
  const group = (board) => board.layout && board.layout.meta && board.layout.meta.rotates_with;
  const boards = () => [...document.querySelectorAll(".js-plotly-plot")];
  const move = (board, scene, view) => {
    fitted.add(board.layout.meta);  // what was turned, is not fitted later
    board.layout.scene.camera = board._fullLayout.scene.camera = view;
    scene.setViewport({ ...board._fullLayout.scene, camera: view });
  };
  const fit = (board) => {
    const meta = board.layout && board.layout.meta, of = board._fullLayout && board._fullLayout.scene;
    if (!meta || !meta.aspect || fitted.has(meta) || !of || !of._scene) return;
    const { width, height } = board.getBoundingClientRect(), far = 1.05 * meta.aspect * height / width;
    if (!width || !height) return;
    if (far <= 1) return;
    const view = of.camera, eye = {};
    for (const axis of ["x", "y", "z"]) eye[axis] = view.center[axis] + far * (view.eye[axis] - view.center[axis]);
    move(board, of._scene, { ...view, eye });
  };
  const link = (board) => {
    if (known.has(board) || !board.on || !group(board)) return;
    known.add(board);
    let waiting = null;
    const rotated = (change) => {
      const camera = change && change["scene.camera"];
      if (!camera) return;
      fitted.add(board.layout.meta);
      if (waiting === null) requestAnimationFrame(() => {
        const to = waiting;
        waiting = null;
        for (const other of boards()) {
          const scene = other !== board && group(other) === group(board) && other._fullLayout.scene._scene;
          if (!scene) continue;
          move(other, scene, { ...other._fullLayout.scene.camera, ...to });
        }
      });
      waiting = camera;
    };
    board.on("plotly_relayouting", rotated);
    board.on("plotly_relayout", rotated);
    board.on("plotly_afterplot", () => fit(board));
    fit(board);
  };
  new MutationObserver(() => boards().forEach(link)).observe(document, { childList: true, subtree: true });
  boards().forEach(link);
})();
