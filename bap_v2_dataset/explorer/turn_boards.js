(degrees) => {
  const [cos, sin] = [Math.cos, Math.sin].map((of) => of((degrees * Math.PI) / 180));
  for (const board of document.querySelectorAll(".js-plotly-plot")) {
    const scene = board._fullLayout?.scene;
    if (!scene?._scene) continue;
    const { eye, center } = scene.camera, [x, y] = [eye.x - center.x, eye.y - center.y];
    const turned = { x: center.x + cos * x - sin * y, y: center.y + sin * x + cos * y, z: eye.z };
    const camera = { ...scene.camera, eye: turned };
    board.layout.scene.camera = scene.camera = camera;
    scene._scene.setViewport({ ...scene, camera });
  }
}
