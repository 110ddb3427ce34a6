# The command `bap-v2` in a container.
#
#     docker build -t bap-v2 .                                  # data, metric, scores, pictures, explorer
#     docker build -t bap-v2 --build-arg TORCH=2.13.0 .         # training too, with the CPU build of this PyTorch
#     docker run --rm -it -v bap-v2:/data bap-v2 setup
#     docker run --rm -it -v bap-v2:/data -v "$PWD:/work" bap-v2 score predictions.jsonl
#     docker run --rm -it -v bap-v2:/data -p 7860:7860 bap-v2 explore --host 0.0.0.0
#
# The volume /data holds what `bap-v2 setup` makes. The user in the container has the id 1000 (--build-arg UID=...).

FROM python:3.11-slim

ARG TORCH=""
ARG UID=1000

ENV HF_HOME=/data \
    HF_HUB_DISABLE_TELEMETRY=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1

WORKDIR /opt/bap-v2
COPY . .
# The packages of constraints.txt, then the project itself, into the image's own Python; the sources are not kept.
RUN if [ -n "$TORCH" ]; then \
        pip install --extra-index-url https://download.pytorch.org/whl/cpu "torch==$TORCH" --constraint constraints.txt \
        && pip install ".[all]" --constraint constraints.txt; \
    else \
        pip install ".[report,pictures,explore,icl]" --constraint constraints.txt; \
    fi \
    && rm -rf /opt/bap-v2

RUN useradd --create-home --uid "$UID" builder \
    && mkdir -p /data /work \
    && chown builder /data /work

USER $UID
WORKDIR /work
VOLUME /data
EXPOSE 7860
ENTRYPOINT ["bap-v2"]
CMD ["--help"]
