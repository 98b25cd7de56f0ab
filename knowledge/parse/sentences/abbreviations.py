"""Words that a full stop may belong to, and words that begin a sentence.

They hold in every language: documents mix languages, and that of a short one is a guess. In lower case, without the
last full stop; an abbreviation of several parts is joined by full stops ("p.ej").
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What they belong to follows: no sentence ends behind them.
NEVER_LAST = _words(
    """
    approx bspw bzw ca capt cf cmdr dept dipl dr dra dras dres e.g eds ej emb esp evtl exc excl excmo gov
    gral hno hnos i.d.r i.e incl inkl lcda lcdo lic lt m.in messrs mgr mlle mme mr mrs ms mt mtro np p.e
    p.ej phil ppal prof profa pvt rev rvdo sgt sr sra sras sres srta supt tfno tj tzn tzw u.a u.ä univ vgl viz
    vs z.b z.t
    акад англ бул бульв врем вул гос греч деп див доц заст инж иностр испр кн лат лейт ліц назв напр
    наприкл нем обл орг отв офиц прим примеч просп проф ред рож росс русс сл см сов сокр соц спец ср
    т.е т.зв т.к т.н т.о т.ч теч укр ул утв фам франц худ шос інж
    """
)
# A sentence may end behind them: it does where a capital letter follows.
MAYBE_LAST = _words(
    """
    a.m al assn ave blvd bros cia co col cols corp cía dcha etc etcétera fri gmbh hrs inc itd itp izda izq jr
    ltd ltda mins mon mwst p.m p.s ppm pty sat sun thu thur thurs tue tues ud uds usw vd vds wed
    вв грн дес дол долл др ин кв.м коп крб куб млн млрд н.е н.э п.п пр проч руб соавт т.д т.п т.ін тис
    тыс чел ін
    """
)
# A sentence may end behind them where a number stands before them ("in 5 min. Then"), and nowhere else.
UNITS = _words(
    """
    ca cm ft h hr in kg km lb m min mm ms oz s sec seg sek std в г гг кг км л м мин мл мм р рр с сек см ст хв ч
    """
)
# A number belongs to them: no sentence ends between the two.
NUMBERED = _words(
    """
    abb abs abt anh apdo apr aprox apt art arts aug av bd bl cap caps ch chap cl cod cód dec dic ed ene eq fasc
    feb fig figs fol jan jul jun kap lib lám mar n nn no nos nov nr nro num núm núms oct op p par parág pos pp
    pt pta pág págs párr sec sect sep sept seq ser tab tel tit tom tomo tít ver vers vol vols vom z ziff
    абз авг буд вид вип гл глава дек дод док доп кв кл ком корп мал ном нояб окт оф пар пид поз прил під разд
    рис розд сент сер стор стр табл тел тлф ум факс февр черт эт янв
    """
)
# A name follows them ("St. Louis"), but they may also be words that a sentence ends with.
BEFORE_NAMES = _words("av avda fr gob gov rep sen st sta ste бл дж им ім оз пер пл св")
# Behind an initial, what a name follows or a name made of them ("U.S."), only such a word shows that a sentence ended.
STARTERS = _words(
    """
    además after ahora ahí al all allí also an and antes any aquí are as ask así at before but by cada call can
    choose click como con cuando cuándo cómo de del desde después do donde dónde each el ella ellas ellos en
    entonces entre es esa ese eso esta este esto estos está están every for from fue go ha haga hasta hay he her
    here his how however if in is it its la las le let lo los luego many mi mientras most my nadie ni no nobody
    nosotros not note now nuestra nuestro on once open or otra otro our para pero please por press puede pulse
    que quién qué run se sea see según select ser she si sin since so sobre some son su sus sí también that the
    their then there therefore these they this those though thus tiene to todo todos tras tú un una uno use
    usted ustedes we what when where which while who why with y ya yes yo you your él
    а але без более будь була були було был были было быть більше в важливо важно вам ви виберіть во возможно
    вона вони воно все всё вы выберите від він где да для до докладніше его ее если есть её з за зараз затем зі
    и из или их й його к каждый как когда кожен коли который кроме крім ми може можно мы на надо нажмите
    натисніть не немає нет ни но нужно ні о об обратите однако он она они оно от откройте перед по под подробнее
    позже после потом потім поэтому при під після с сейчас сначала со та так также там тепер теперь то только
    тому тот треба тут у укажите усе усі це цей ця ці чи что чтобы що щоб эта эти это этот я як якщо є і із інше
    їх їхній її
    """
)
