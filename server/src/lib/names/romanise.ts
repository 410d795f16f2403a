import anyAscii from 'any-ascii'
import { romaniseHan, romaniseHangul } from './romanise-east-asian.ts'

/**
 * Writes letters of other scripts in Latin ones, roughly as passports do. What is compared afterwards is how a name
 * sounds, so one spelling for each letter is enough.
 */

const pairs = (text: string): [string, string][] =>
  text
    .trim()
    .split(/\s+/)
    .map((pair): [string, string] => [pair.slice(0, 1), pair.slice(2)])

const cyrillic = pairs(
  `а=a б=b в=v г=g д=d е=e ж=zh з=z и=i й=y к=k л=l м=m н=n о=o п=p р=r с=s т=t у=u ф=f х=kh ц=ts ч=ch ш=sh щ=shch
  ъ= ы=y ь= э=e ю=yu я=ya і=i ї=yi є=ye ґ=g ў=u ј=j љ=lj њ=nj џ=dz ђ=dj ћ=c ѓ=g ќ=k ѕ=dz ә=a ғ=g қ=k ң=n ө=o ұ=u ү=u
  һ=h ӯ=u ҷ=j ҳ=h`,
)

const greek = pairs(
  `α=a β=v γ=g δ=d ε=e ζ=z η=i θ=th ι=i κ=k λ=l μ=m ν=n ξ=x ο=o π=p ρ=r σ=s ς=s τ=t υ=y φ=f χ=kh ψ=ps ω=o`,
)

/** Short vowels are not written, so these words are compared by their consonants (see `isUnvowelled`). */
const arabic = pairs(
  `ا=a أ=a إ=i آ=a ٱ=a ء= ؤ=u ئ=i ى=a ب=b ت=t ة=a ث=th ج=j ح=h خ=kh د=d ذ=dh ر=r ز=z س=s ش=sh ص=s ض=d ط=t ظ=z ع= غ=gh
  ف=f ق=q ك=k ل=l م=m ن=n ه=h و=w ي=y پ=p چ=ch ژ=zh گ=g ک=k ی=y ہ=h ے=e ں=n ٹ=t ڈ=d ڑ=r ھ=h`,
)

const hebrew = pairs(
  `א=a ב=b ג=g ד=d ה=h ו=w ז=z ח=h ט=t י=y כ=k ך=k ל=l מ=m ם=m נ=n ן=n ס=s ע= פ=p ף=f צ=ts ץ=ts ק=k ר=r ש=sh ת=t`,
)

const georgian = pairs(
  `ა=a ბ=b გ=g დ=d ე=e ვ=v ზ=z თ=t ი=i კ=k ლ=l მ=m ნ=n ო=o პ=p ჟ=zh რ=r ს=s ტ=t უ=u ფ=p ქ=k ღ=gh ყ=q შ=sh ჩ=ch ც=ts ძ=dz
  წ=ts ჭ=ch ხ=kh ჯ=j ჰ=h`,
)

const armenian = pairs(
  `ա=a բ=b գ=g դ=d ե=e զ=z է=e ը=e թ=t ժ=zh ի=i լ=l խ=kh ծ=ts կ=k հ=h ձ=dz ղ=gh ճ=ch մ=m յ=y ն=n շ=sh ո=o չ=ch պ=p ջ=j
  ռ=r ս=s վ=v տ=t ր=r ց=ts ւ=u փ=p ք=k օ=o ֆ=f և=ev`,
)

/** Latin letters that have no decomposition, many of them of African and Nordic languages. */
const latin = pairs(
  `ß=ss ø=o ł=l đ=d ð=d þ=th æ=ae œ=oe ŋ=ng ɓ=b ɗ=d ɖ=d ƙ=k ƴ=y ɲ=ny ɛ=e ɔ=o ə=e ǝ=e ɣ=g ɩ=i ʋ=v ʊ=u ħ=h ı=i ŧ=t ƒ=f ɡ=g`,
)

/** Capitals in the size of small letters, which look like a name in Latin letters. */
const smallCapitals = pairs(
  `ᴀ=a ʙ=b ᴄ=c ᴅ=d ᴇ=e ꜰ=f ɢ=g ʜ=h ɪ=i ᴊ=j ᴋ=k ʟ=l ᴍ=m ɴ=n ᴏ=o ᴘ=p ꞯ=q ʀ=r ꜱ=s ᴛ=t ᴜ=u ᴠ=v ᴡ=w ʏ=y ᴢ=z`,
)

const letters: ReadonlyMap<string, string> = new Map([
  ...cyrillic,
  ...greek,
  ...arabic,
  ...hebrew,
  ...georgian,
  ...armenian,
  ...latin,
  ...smallCapitals,
])

/** In a word that also has Latin letters, these stand for the Latin ones that they look like. */
const lookAlikes: ReadonlyMap<string, string> = new Map(
  pairs(
    `а=a в=b е=e к=k м=m н=h о=o р=p с=c т=t у=y х=x і=i ј=j ѕ=s һ=h ԁ=d ԛ=q ԝ=w α=a β=b γ=y ε=e η=n ι=i κ=k ν=v ο=o ρ=p
    σ=o τ=t υ=u χ=x ω=w օ=o ս=u հ=h ո=n զ=q 0=o 1=l 3=e 4=a 5=s 7=t 8=b 9=g $=s @=a !=i |=l €=e £=l ¡=i`,
  ),
)
/** The small q of small capitals is usually written with an o that has a hook. */
const smallCapital = /[ᴀʙᴄᴅᴇɢʜɪᴊᴋʟᴍɴᴏᴘʀᴛᴜᴠᴡʏᴢ]/u
const hookedO = 'ǫ'
const latinLetter = /[a-z]/
const isLookAlike = /[^a-z]/u

const mapWords = (text: string, map: (word: string) => string): string => text.split(/\s+/).map(map).join(' ')

const readHookedO = (text: string): string =>
  text.includes(hookedO)
    ? mapWords(text, (word) => (smallCapital.test(word) ? word.replaceAll(hookedO, 'q') : word))
    : text

/** Words are mixed on purpose: nobody types a Cyrillic letter or a digit into a Latin name by accident. */
const undisguise = (text: string): string =>
  mapWords(text, (word) =>
    latinLetter.test(word) && isLookAlike.test(word)
      ? Array.from(word, (letter) => lookAlikes.get(letter) ?? letter).join('')
      : word,
  )

const devanagari: ReadonlyMap<string, string> = new Map([
  ...pairs(
    `क=k ख=kh ग=g घ=gh ङ=n च=ch छ=ch ज=j झ=jh ञ=n ट=t ठ=th ड=d ढ=dh ण=n त=t थ=th द=d ध=dh न=n प=p फ=ph ब=b भ=bh म=m य=y
    र=r ल=l ळ=l व=v श=sh ष=sh स=s ह=h अ=a आ=a इ=i ई=i उ=u ऊ=u ऋ=ri ए=e ऐ=ai ओ=o औ=au ा=a ि=i ी=i ु=u ू=u ृ=ri े=e
    ै=ai ो=o ौ=au ॉ=o ं=n ँ=n`,
  ),
  // With a dot below they are other consonants.
  ...pairs('क=q ख=kh ग=gh ज=z ड=r ढ=r फ=f').map(([letter, sound]): [string, string] => [
    `${letter}\u093c`,
    sound,
  ]),
])
/** A consonant without a sign has a short a, which is not heard at the end of a word. */
const bareConsonant = /[\u0915-\u0939]\u093c?(?![\u093c\u093e-\u094d])(?=[\u0900-\u097f])/gu

const romaniseDevanagari = (text: string): string =>
  text
    .replaceAll(bareConsonant, '$&a')
    .replaceAll(
      /[\u0900-\u097f]\u093c?/gu,
      (letter) => devanagari.get(letter) ?? devanagari.get(letter.slice(0, 1)) ?? '',
    )

/**
 * Foreign sounds for which a script has no letter of its own. A Cyrillic letter stands for each of them, because a Latin
 * one among others looks like a disguise.
 */
const foreignSounds: readonly (readonly [string, string])[] = [
  ['μπ', 'б'],
  ['ντ', 'д'],
  ['γκ', 'г'],
  ['τζ', 'џ'],
  ['τσ', 'ш'],
  ['ου', 'у'],
  ['ού', 'у'],
  ['χ', 'һ'],
  ['дж', 'џ'],
  ['х', 'һ'],
  ['ფ', 'ф'],
]
const scriptsWithout = /[α-ωΑ-Ωა-ჿа-яА-Я\u0900-\u097f]/

/** The name as if it were foreign to its script: in Greek μπ is then a b, and in Devanagari nothing is heard unwritten. */
export const readForeignSounds = (text: string): string =>
  scriptsWithout.test(text)
    ? foreignSounds
        .reduce((read, [letters, sound]) => read.replaceAll(letters, sound), text.toLowerCase())
        .replaceAll(bareConsonant, '$&\u094d')
    : text

const ethiopicVowels = ['e', 'u', 'i', 'a', 'e', 'i', 'o'] as const
/** The consonants of the Ethiopic rows, eight code points each, from U+1200. */
const ethiopicRows =
  'h l h m s r s sh q q q q b v t ch h h n ny . k k kh kh w . z zh y d d j g g g t ch p ts ts f p'.split(' ')
const ethiopicStart = 0x1200

function romaniseEthiopic(code: number): string | undefined {
  const row = ethiopicRows[Math.floor((code - ethiopicStart) / 8)]
  if (code < ethiopicStart || row === undefined) return undefined
  return `${row === '.' ? '' : row}${ethiopicVowels[(code - ethiopicStart) % 8] ?? 'a'}`
}

/** Marks on letters, and characters that are not seen, such as a soft hyphen or a joiner of width zero. */
const unseen = /[\p{M}\p{Cf}]/u
const isPlain = /^[ -~]*$/
const isPlainWords = /^[a-z ]*$/

/** Without accents and in lower case. Letters of scripts that it does not know stay as they are. */
export function romanise(text: string): string {
  const lower = text.toLowerCase()
  if (isPlainWords.test(lower)) return lower
  if (isPlain.test(lower)) return undisguise(lower)
  const known = romaniseDevanagari(readHookedO(romaniseEastAsian(lower)).normalize('NFKD').toLowerCase())
  let seen = ''
  for (const letter of known) if (!unseen.test(letter)) seen += letter
  let latinised = ''
  for (const letter of undisguise(seen)) {
    const code = letter.codePointAt(0) ?? 0
    latinised +=
      code < 0x80 ? letter : (letters.get(letter) ?? romaniseEthiopic(code) ?? romaniseOther(letter))
  }
  return latinised
}

const eastAsian = /[\u1100-\u11ff\u2e80-\u2fdf\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\u{20000}-\u{323af}]/u

/** Composed first, because decomposed Korean is no longer made of syllables. */
const romaniseEastAsian = (text: string): string =>
  eastAsian.test(text) ? romaniseHangul(romaniseHan(text.normalize('NFKC'))) : text

const letterOrDigit = /[\p{L}\p{N}]/u
const squaredLetters = { from: 0x1f130, to: 0x1f189 } as const

/** Scripts without a table of their own, such as Thai, Bengali and Kana. What the library does not know stays as it is. */
function romaniseOther(letter: string): string {
  const code = letter.codePointAt(0) ?? 0
  if (!letterOrDigit.test(letter) && (code < squaredLetters.from || code > squaredLetters.to)) return letter
  const latin = anyAscii(letter).toLowerCase()
  return latin === '' ? letter : latin
}

const otherLetter = /[^\P{L}a-z]/u

/** Whether letters are left that cannot be written in Latin ones, so that the name cannot be compared. */
export const isUnreadable = (text: string): boolean => otherLetter.test(romanise(text))

const unvowelled = /[\u0590-\u05FF\u0600-\u06FF]/

/** Whether the text is in a script that leaves out short vowels. */
export const isUnvowelled = (text: string): boolean => unvowelled.test(text)
