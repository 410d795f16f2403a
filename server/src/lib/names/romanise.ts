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
  `α=a β=v γ=g δ=d ε=e ζ=z η=i θ=th ι=i κ=k λ=l μ=m ν=n ξ=x ο=o π=p ρ=r σ=s ς=s τ=t υ=y φ=f χ=ch ψ=ps ω=o`,
)

/** Short vowels are not written, so these words are compared by their consonants (see `isUnvowelled`). */
const arabic = pairs(
  `ا=a أ=a إ=i آ=a ٱ=a ء= ؤ=u ئ=i ى=a ب=b ت=t ة=a ث=th ج=j ح=h خ=kh د=d ذ=dh ر=r ز=z س=s ش=sh ص=s ض=d ط=t ظ=z ع= غ=gh
  ف=f ق=q ك=k ل=l م=m ن=n ه=h و=w ي=y پ=p چ=ch ژ=zh گ=g ک=k ی=y ہ=h ے=e ں=n ٹ=t ڈ=d ڑ=r ھ=h`,
)

const hebrew = pairs(
  `א=a ב=b ג=g ד=d ה=h ו=v ז=z ח=h ט=t י=y כ=k ך=k ל=l מ=m ם=m נ=n ן=n ס=s ע= פ=p ף=f צ=ts ץ=ts ק=k ר=r ש=sh ת=t`,
)

/** Latin letters that have no decomposition, many of them of African and Nordic languages. */
const latin = pairs(
  `ß=ss ø=o ł=l đ=d ð=d þ=th æ=ae œ=oe ŋ=ng ɓ=b ɗ=d ɖ=d ƙ=k ƴ=y ɲ=ny ɛ=e ɔ=o ə=e ǝ=e ɣ=g ɩ=i ʋ=v ʊ=u ħ=h ı=i ŧ=t ƒ=f ɡ=g`,
)

const letters: ReadonlyMap<string, string> = new Map([...cyrillic, ...greek, ...arabic, ...hebrew, ...latin])

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

/** Without accents and in lower case. Letters of scripts that it does not know stay as they are. */
export function romanise(text: string): string {
  let latinised = ''
  for (const letter of text.normalize('NFKD').toLowerCase()) {
    const code = letter.codePointAt(0) ?? 0
    if (code < 0x80) latinised += letter
    else if (!/\p{M}/u.test(letter)) latinised += letters.get(letter) ?? romaniseEthiopic(code) ?? letter
  }
  return latinised
}

const unvowelled = /[\u0590-\u05FF\u0600-\u06FF]/

/** Whether the text is in a script that leaves out short vowels. */
export const isUnvowelled = (text: string): boolean => unvowelled.test(text)
