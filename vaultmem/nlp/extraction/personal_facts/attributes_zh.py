"""What is said of somebody in Chinese: whole clauses, since subject and predicate have no gap."""

# ruff: noqa: RUF001  Chinese is matched with its own marks.

from __future__ import annotations

from vaultmem.nlp.extraction.grammar.relations import RELATION_ZH
from vaultmem.nlp.extraction.grammar.traits import traits

_ADV = "(?:也|都|真的|其实|现在|目前|从小就?|一直|仍然|还是|就|本人)*"
_VERY = "(?:也|都|最|很|非常|特别|比较|超|超级|挺|真的|更|一直|还是|就|从小就?|尤其)*"
_END = "(?=[，。！；、,.!;…]|$|但|因为|所以|而且)"
_V = "[^，。！？；：、,.!?;:…“”「」]"
_LIST = "[^，。！？；：,.!?;:…“”「」]{1,24}?"
# For how long it has been so: `住在大连三年了`.
_SO_LONG = (
    "(?:了?(?:已经|都)?(?:快|有)?(?:好|很)?"
    "[\\d一二三四五六七八九十两几半多]+个?(?:年|月|周|星期)半?多?)?"
)
_LAST = "(?=[。！.!…]|$|但|因为|所以|而且)"
_DATE = (
    "(?:\\d{4}-\\d\\d-\\d\\d|(?:(?:\\d{4}|[〇零一二三四五六七八九]{4})年)?(?:\\d{1,2}"
    "|[一二三四五六七八九十]{1,3})月(?:(?:\\d{1,2}|[一二三四五六七八九十]{1,3})[日号]?)?)"
)
_TRADE = (
    "(?:工程师|老师|教师|医生|护士|律师|设计师|程序员|学生|研究生"
    "|经理|厨师|会计|会计师|记者|作家|画家|司机|警察|科学家|教授|研究员|销售|翻译|摄影师|咨询师"
    "|药剂师|公务员|护士长|校长|院长|店长|船长|编辑)"
)
# Whose teacher, and what one may yet be or was, tells no trade.
OCCUPATION = (
    "(?!老司机|新手|半个|半吊子|前(?!台)|未来|准|假|我|你|您|他|她|咱)"
    f"(?:(?![我你您他她咱])[^，。！？；、的,.!?;]){{0,8}}?{_TRADE}"
)
# Where one sleeps that is in no town of that name: `住在三楼`, `搬到你家`.
_NO_ROOM = (
    "(?!酒店|宾馆|学校|宿舍|家|这|那|一|哪)"
    "(?![^，。！？,.!?]*?(?:家里?|[一二三四五六七八九十\\d]+楼|旁边?|附近|对面|隔壁|公司|[厅室]"
    f"|楼[上下]|[里上下边])(?:了|呢)?{_END})(?![^，。！？,.!?]*?(?:[你您他她它睡]|[这那]边))"
)
# How one works, and not where.
_NO_MANNER = (
    "(?!认真|努力|加班|拼命|专心|安心|继续|辛苦|忙|家|这|那|外面|外地|国外|线上|网上|群里|被窝)"
)
_CITY = (
    "(?:北京|上海|广州|深圳|杭州|南京|成都|重庆|武汉|西安|苏州|天津|长沙|郑州|青岛|大连|厦门|宁波|昆明|沈阳|哈尔滨"
    "|济南|合肥|福州|南昌|贵阳|太原|兰州|石家庄|长春|无锡|珠海|东莞|佛山|香港|澳门|台北|高雄|海口|三亚|拉萨|南宁"
    "|云南|四川|广东|浙江|江苏|山东|河南|河北|湖南|湖北|福建|安徽|东京|纽约|伦敦|巴黎|柏林|新加坡)市?"
)
_REGION = (
    "(?:东北|西北|华北|江南|潮汕|客家|闽南|内蒙古|新疆|西藏|广西|江西|山西|陕西|贵州|甘肃|青海|吉林|辽宁|黑龙江|海南|台湾"
    "|日本|印度|加拿大|澳大利亚|意大利|西班牙|俄罗斯|越南|新西兰|巴西|墨西哥|葡萄牙|荷兰|瑞典|波兰)"
)
_CONDITION = (
    "(?:[12]型)?(?:糖尿病|哮喘|高血压|低血压|心脏病|癫痫|偏头痛|湿疹|抑郁症|关节炎|胃炎|鼻炎)"
)
# What may open a clause.
LEAD = (
    "(?:对了|另外|还有|因为|由于|所以|但是?|不过|而且|并且|其实|你好|您好|请?记住|请?记得|是的"
    "|好的|嗯|顺便说一下|提醒一下|大家好|嗨|哈喽|[\\s]|[“”])*"
)
_MINE = f"(?:我|我的|我家的?|我们家的?)(?:大|小|二)?(?P<rel>{RELATION_ZH})"
_CALLED = "[\u4e00-\u9fff]{2,4}"
_SURNAME = (
    "(?:[赵钱孙李周吴郑王冯陈蒋沈韩杨朱秦许何吕施张孔曹严华金魏陶姜谢邹苏潘葛范彭鲁韦马方任袁柳史"
    "唐薛雷贺倪汤罗安常于傅康余顾孟黄萧尹姚汪毛戴宋庞熊纪项祝董梁杜阮季贾江郭梅林钟徐邱骆高夏蔡田"
    "樊胡万柯卢莫房丁邓洪崔龚程邢裴陆翁侯段焦侍刘景叶白蒲乔谭温庄晏柴阎]|欧阳|司马|上官|诸葛)"
)
FAMILY_NAME = f"(?:(?:{_SURNAME}|[小老阿])[\u4e00-\u9fff]{{1,3}}?|[A-Z][a-z]+)"
# A name that follows at once has two or three letters; tried first is that there is none.
SUBJECT = (
    f"(?:{_MINE}(?P<name>[\u4e00-\u9fff]{{2,3}}?|[A-Z][a-z]+)??"
    "|(?P<self>我(?:们?家)?)|(?P<pron>她|他)(?:的(?=生日|电话|手机|邮箱|血型|地址))?)"
)
# `是` alone says what somebody is, and names nobody but by a family name with a title: `李医生`.
NAMED = (
    f"{_MINE}(?:(?:的名字)?(?:叫做?|名叫)(?P<name>{_CALLED}|[A-Z][a-z]+)"
    f"|的(?:名字|姓名|全名|大名)是(?P<known>{FAMILY_NAME})|的?是(?P<titled>{_SURNAME}{_TRADE}))$"
)
IS_MINE = f"(?P<name>{FAMILY_NAME})是我(?:的|家)?(?P<rel>{RELATION_ZH})$"
MY_NAME = (
    f"(?:我叫做?|我的名字(?:是|叫)|(?:你|您)?可以叫我|请叫我|叫我)"
    f"(?!(?:{_TRADE}|{RELATION_ZH})(?:吧|就好|就行)?$)(?P<name>{FAMILY_NAME})(?:吧|就好|就行)?$"
)
# What makes a sentence a guess, a condition, a story or hearsay.
DOUBT = (
    "如果|要是|假如|假设|万一|若|可能|也许|或许|大概|好像|似乎|听说|据说|(?<![会能])说过?(?!话)|以为|觉得"
    "|是否|是不是|会不会|不确定|曾经|以前|过去|小时候|原来|想象|比如|例如|小说|故事|扮演|歌词"
    "|应该|希望|梦|开玩笑|哈哈|呵呵|嘿嘿|嘻嘻|笑死|吗|怀疑|猜|假装|[?？]"
)
# After this somebody else may be meant, or something that is not so.
REPORTS = "[说讲问告让叫请劝帮给和跟同与被把对的]|[觉认以]为?|想|[没不]"
NO_NAME = (
    "[我你您他她它得]|人$|^(?:小学|中学|大学|高中)|(?:工程师|护士|学生|厨师|司机|警察|记者|会计|公务员)$|"
    f"^(?:{_TRADE}|{RELATION_ZH})$|"
    "[也都很不没现从常在最对是有就还真已经一喜讨非特比超和跟的了住叫吃说去来想要愿该刚当做]|[今昨明][天年早晚日]"
)

# A town is where somebody lives, no firm.
_AT = f"(?:(?P<city>{_CITY})|(?P<workplace>{_V}{{2,16}}?))"

# A clause without a subject tells of the speaker where it says how long or where: `当护士八年了`.
UNSAID = tuple(
    traits(
        "work occupation",
        f"{_ADV}在{_AT}(?:当|做|担任)(?:一?[名位个])?(?P<v>{OCCUPATION}){_END}",
        f"{_ADV}(?:当|做|干)了?(?:一?[名位个])?(?P<v>{OCCUPATION})(?:已经|都)?快?"
        f"[\\d一二三四五六七八九十两几]{{1,3}}多?年多?了?{_END}",
        f"{_ADV}从事(?P<v>{OCCUPATION})(?:工作|职业|行业){_END}",
    )
)

# What a favourite is of, as a field has it.
THINGS = {
    "颜色": "color", "食物": "food", "菜": "dish", "电影": "movie", "书": "book", "歌": "song",
    "歌手": "singer", "音乐": "music", "运动": "sport", "水果": "fruit", "城市": "city",
    "动物": "animal", "季节": "season", "饮料": "drink", "游戏": "game", "作家": "author",
    "餐厅": "restaurant", "科目": "subject", "花": "flower",
}  # fmt: skip

PREDICATES = (
    *traits(
        "medical allergy",
        f"{_ADV}[对對](?![我你您他她它])(?P<v>(?:(?![不没]){_V}){{1,16}}?(?:、(?:(?![不没]){_V}){{1,10}}?)*)(?:而?不是{_V}{{1,10}}?|都"
        f"|会|严重|重度|轻微|有点|有)*[过過]敏",
        many=True,
    ),
    *traits("medical condition", f"{_ADV}(?:有|患有|得了)(?P<v>{_CONDITION}){_END}"),
    *traits(
        "preferences diet",
        f"{_ADV}(?:是|吃)(?:一?个)?(?P<v>素食主义者|素食者|纯素|全素|素|清真){_SO_LONG}了?{_END}",
    ),
    *traits(
        "preferences dislikes",
        f"{_VERY}(?:不太?|不是很|不怎么)(?:喜[欢歡]|爱(?=吃|喝))(?P<v>(?!了){_LIST}){_LAST}",
        f"{_VERY}(?:讨厌|討厭|受不了|厌恶)(?P<v>{_LIST}){_LAST}",
    ),
    *traits(
        "preferences avoids",
        f"{_ADV}(?:从来)?不[吃喝](?P<v>(?!(?:亏|醋|惊|力|香|苦)?了?{_LAST}|[这那]|{_V}*?(?:不|开车)){_LIST}){_LAST}",
    ),
    *traits("preferences prefers", f"{_ADV}(?:更喜[欢歡]|偏好|偏爱|宁愿)(?P<v>{_LIST}){_LAST}"),
    *traits(
        "preferences likes",
        f"{_VERY}(?:喜[欢歡]|喜爱|热爱|爱(?=[吃喝看听玩]))(?P<v>(?![的上我]|{_V}不){_LIST}){_LAST}",
    ),
    *traits(
        "contact city",
        f"{_ADV}在(?P<v>{_CITY})(?:工作|上班|任职|读大学|上大学|读书|生活)",
        f"{_ADV}在(?P<v>{_CITY})住{_SO_LONG}了?$",
        f"{_ADV}(?:住在|定居在?|搬到了?|搬去了?|居住在)(?P<v>{_NO_ROOM}{_V}{{2,12}}?)"
        f"{_SO_LONG}(?:了|呢)?{_END}",
    ),
    *traits(
        "personal origin",
        f"{_ADV}是(?:地道的|地地道道的|土生土长的)?(?P<v>(?![一外本这那])(?:{_CITY}|{_REGION}"
        f"|{_V}{{1,3}}[国省州县])人){_END}",
    ),
    *traits(
        "personal origin",
        f"{_ADV}(?:来自|老家(?:[在是]|(?={_CITY}|{_REGION})))(?P<v>(?!火星|外星"
        f"|未来)(?:(?![的哪]){_V}){{2,10}}?)的?{_END}",
    ),
    *traits(
        "work occupation",
        f"{_ADV}(?:在{_AT})?(?:当|做|担任)(?:一?[名位个])?(?P<v>{OCCUPATION}){_END}",
    ),
    *traits(
        "studies studies",
        f"{_ADV}在(?P<school>{_V}{{2,14}}?)(?:攻?读|学习|(?<![大中小])学(?!习)|念)(?P<v>(?!大学|中学|高中|初中|小学|书"
        f"|研究?生?$){_V}{{2,10}}?)(?:专业)?{_END}",
        f"{_ADV}(?:正在)?(?:学习|主修)(?P<v>(?!的|得|不|[很太好差]|压力|成绩|任务|效率|方法"
        f"|态度){_V}{{2,10}}?)(?:专业)?{_END}",
    ),
    *traits(
        "studies school_year",
        f"{_ADV}(?:今年|刚|在)*[上读念](?P<v>(?:小学|初中|高中|大学)?[一二三四五六]年级|[初高][一二三]|大[一二三四])"
        f"(?:了)?{_END}",
    ),
    *traits("personal learning", f"{_ADV}(?:正?在|开始)学习?(?P<v>{_V}{{1,4}}?[语文话]){_END}"),
    *traits(
        "family children",
        f"{_ADV}有(?P<v>[一两三四]个(?:孩子|小孩|儿子|女儿|男孩|女孩|宝宝)){_END}",
    ),
    *traits("family siblings", f"{_ADV}有(?P<v>[一两三四]个(?:哥哥|姐姐|弟弟|妹妹)){_END}"),
    *traits(
        "belongings drives",
        f"{_ADV}开(?:的是|着)?(?P<v>一?辆(?:(?![来去接送过你]){_V}){{2,10}}?){_END}",
    ),
    *traits(
        "personal languages",
        f"{_ADV}(?:会说|能说|会讲|说)(?!{_V}*?[笑实好坏梦气空大脏假真情道心]话)(?P<v>(?:{_V}{{1,5}}?[语文话])(?:[、和及]{_V}{{1,5}}?[语文话])*)"
        f"{_END}",
        many=True,
    ),
    *traits(
        "pets pets",
        f"{_ADV}(?:有|养了?)(?P<v>[一两三四五六几\\d]?[只条匹个](?!电子|机器|玩具|毛绒){_V}{{0,3}}?(?:狗|猫|金毛|泰迪|柯基|柴犬|边牧"
        f"|哈士奇|拉布拉多|布偶|英短"
        f"|兔子|仓鼠|鹦鹉|乌龟|鱼"
        f"|鸟)(?:名?叫做?{_CALLED}{_END})?)(?=[，。！；、,.!;…]|$|[叫名和跟]|已?[经有]|[一二三四五六七八九十\\d几]+年)",
    ),
    *traits(
        "hobbies routine",
        f"{_ADV}(?P<v>(?:每天|每周\\w?|每个?月|每年|每晚|每早|周[一二三四五六日末])(?:都|会|都会)?"
        f"(?:去|在)?(?!{_V}*?(?:[你您他她它得死疯]|想(?!象)|觉得|要|[好很太]))"
        f"{_V}{{2,12}}?){_END}",
    ),
    *traits("work occupation", f"{_ADV}从事(?P<v>{OCCUPATION})(?:工作|职业|行业){_END}"),
    *traits(
        "work occupation",
        f"{_ADV}是(?P<v>[开教卖修写画养种](?!玩笑|[不没得什么这那我你他她]|{_V}*不){_V}{{1,6}}?的){_END}",
    ),
    *traits("work employer", f"{_ADV}在(?P<v>{_NO_MANNER}{_V}{{2,20}}?)(?:工作|上班|任职|就职)"),
    *traits(
        "work occupation",
        f"{_ADV}是(?:一?[名位个]|(?:(?![你您他她]){_V}){{1,8}}?(?:[社院校学行厂店局所队]|公司)的)?"
        f"(?P<v>{OCCUPATION}){_END}",
    ),
    *traits(
        "personal age",
        f"{_ADV}(?:今年|已经|刚满|刚)*(?P<v>(?:\\d{{1,3}}"
        f"|[一二三四五六七八九十百两]{{1,4}})岁)(?:了)?{_END}",
    ),
    *traits(
        "dates birthday",
        f"(?:的)?生日(?:是|在|：|(?=\\d))(?P<v>(?:[农阴]历)?{_DATE})",
        f"{_ADV}(?:出?生于|出生在)(?P<v>{_DATE})",
        f"{_ADV}是?(?P<v>{_DATE})出?生(?:的)?{_END}",
    ),
    *traits("dates anniversary", f"(?:的|们的)?(?:结婚)?纪念日(?:是|在)(?P<v>{_DATE})"),
    *traits(
        "contact phone", "的?(?:电话|手机)(?:号码?)?(?:是|：|:)\\s*(?P<v>\\+?\\d[\\d -]{5,18}\\d)"
    ),
    *traits(
        "contact email",
        "的?(?:电子)?(?:邮箱|邮件)(?:地址)?(?:是|："
        "|:)\\s*(?P<v>[\\w.+-]+@[\\w-]+(?:\\.[A-Za-z]+)+)",
    ),
    *traits("contact address", f"的?(?:家庭)?(?:地址|住址)(?:是|：|:)(?P<v>{_V}{{5,40}}?){_END}"),
    *traits("travel room", "的?房间号?(?:码)?是(?P<v>[A-Z]?\\d{2,5}[A-Z]?)"),
    *traits("travel seat", "的?座位号?(?:码)?是(?P<v>\\d{1,2}[A-Z])"),
    *traits(
        "personal shoe_size",
        "的?(?:鞋码|鞋号)是(?P<v>\\d{2}(?:\\.5)?)",
        "穿(?P<v>\\d{2}(?:\\.5)?)(?:码|号)的?鞋",
    ),
    *traits("medical blood_type", "的?血型是(?P<v>(?:AB|A|B|O)型?)"),
    *traits(
        "preferences favorite",
        f"最喜[欢歡]的(?P<thing>{_V}{{1,8}}?)是《?(?P<v>{_V}{{1,16}}?)》?{_END}",
    ),
)
