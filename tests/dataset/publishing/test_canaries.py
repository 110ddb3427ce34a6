"""What publishing uses of libraries outside their API: if one of these fails, a new version has changed it."""

import datasets
from datasets.info import DatasetInfosDict
from datasets.utils.metadata import MetadataConfigs
from huggingface_hub import DatasetCard, DatasetCardData

from bap_v2_dataset.items.features import FEATURES


def info() -> datasets.DatasetInfo:
    splits = datasets.SplitDict({"train": datasets.SplitInfo("train", 1000, 7)})
    return datasets.DatasetInfo(features=FEATURES, splits=splits, download_size=10, dataset_size=1000)


def test_canary_infos_are_written_to_a_front_matter_and_read_back():
    # dataset_card.py writes `dataset_info` with it; dataset.py reads what the card on the Hub says of other configs.
    for names in (["dss"], ["dr", "dss"]):  # one config has another form than several
        data = DatasetCardData()
        DatasetInfosDict({name: info() for name in names}).to_dataset_card_data(data)
        card = DatasetCard(f"---\n{data.to_yaml()}\n---\n")
        read = DatasetInfosDict.from_dataset_card_data(card.data)
        assert list(read) == names
        for name in names:
            assert read[name].features == FEATURES
            assert (read[name].splits["train"].num_examples, read[name].splits["train"].num_bytes) == (7, 1000)


def test_canary_datasets_reads_the_configs_in_the_form_that_the_hub_documents():
    # dataset_card.py writes `configs` by hand; `load_dataset` finds the files of a config through it.
    data_files = [{"split": "train", "path": "data/dss/train-*.parquet"}]
    data = DatasetCardData(configs=[{"config_name": "dss", "data_files": data_files, "default": True}])
    configs = MetadataConfigs.from_dataset_card_data(DatasetCard(f"---\n{data.to_yaml()}\n---\n").data)
    assert configs == {"dss": {"data_files": data_files, "default": True}}
    assert configs.get_default_config_name() == "dss"
