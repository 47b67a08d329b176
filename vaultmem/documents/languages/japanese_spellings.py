"""Japanese words that are written now in kana and now in kanji, to look for both.

Common things of a household, its animals and plants, and the body. Left out are those whose kana
stand in other words, too (`あり`, an ant, in `あります`). A dictionary of all words would take
megabytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultmem.documents.languages.letters import folded

_SPELLINGS = """
鍵かぎ 猫ねこ 犬いぬ 車くるま 鞄かばん 傘かさ 眼鏡めがね 時計とけい 財布さいふ 携帯けーたい
携帯けいたい 机つくえ 椅子いす 布団ふとん 毛布もうふ 枕まくら 鏡かがみ 箪笥たんす 箒ほうき
鍋なべ 茶碗ちゃわん 包丁ほうちょう 薬くすり 煙草たばこ 珈琲こーひー 麦酒びーる 御飯ごはん
弁当べんとう 寿司すし 鮨すし 天麩羅てんぷら 蕎麦そば 饂飩うどん 拉麺らーめん 拉麵らーめん
餃子ぎょうざ 味噌みそ 醤油しょうゆ 豆腐とうふ 納豆なっとう 海苔のり 卵たまご 玉子たまご
牛乳ぎゅうにゅう 林檎りんご 蜜柑みかん 苺いちご 葡萄ぶどう 西瓜すいか 桃もも 檸檬れもん 人参にんじん
玉葱たまねぎ 大蒜にんにく 生姜しょうが 茄子なす 胡瓜きゅうり 南瓜かぼちゃ 胡椒こしょう 胡麻ごま
唐辛子とうがらし 椎茸しいたけ 茸きのこ 魚さかな 鯖さば 鰻うなぎ 海老えび 蛸たこ 鮪まぐろ
鶏にわとり 兎うさぎ 金魚きんぎょ 熊くま 狐きつね 狸たぬき 鼠ねずみ 豚ぶた 羊ひつじ 山羊やぎ
蛙かえる 蛇へび 蜂はち 桜さくら 薔薇ばら 紅葉もみじ 向日葵ひまわり 紫陽花あじさい 木綿もめん
怪我けが 風邪かぜ 咳せき 頭あたま 喉のど 耳みみ 髭ひげ 膝ひざ 肘ひじ 癌がん 喘息ぜんそく
火傷やけど 眩暈めまい 目眩めまい 綺麗きれい 子供こども 友達ともだち 大人おとな 従兄弟いとこ
従姉妹いとこ 双子ふたご 挨拶あいさつ 喧嘩けんか 洗濯せんたく 掃除そうじ 散歩さんぽ 引越ひっこし
玩具おもちゃ 人形にんぎょう 将棋しょうぎ 折紙おりがみ 手紙てがみ 葉書はがき 切手きって
切符きっぷ 鉛筆えんぴつ 鋏はさみ 梯子はしご 蝋燭ろうそく 硝子がらす 煉瓦れんが 絨毯じゅうたん
畳たたみ 塵ごみ 土産みやげ 花見はなみ 温泉おんせん 銭湯せんとう
"""
_KANJI = "\u3400-\u9fff"
_ENTRY = re.compile(rf"([{_KANJI}]+)(\S+)")


def other_spellings(text: str) -> Iterator[tuple[int, str]]:
    """Yield where a word stands in *text* that is written otherwise, too, and how; all folded."""
    for kanji, kana in _ENTRY.findall(folded(_SPELLINGS)):
        if kanji in text:
            # Beside other kanji it is part of another word.
            alone = re.finditer(rf"(?<![{_KANJI}]){kanji}(?![{_KANJI}])", text)
            yield from ((found.start(), kana) for found in alone)
        if kana in text:
            yield text.index(kana), kanji
