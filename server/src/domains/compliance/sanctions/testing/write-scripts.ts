/** Writes Latin names in other scripts, as their readers do: what is not in a table is left out. */

type Letters = readonly (readonly [latin: string, letters: string])[]

const letters = (text: string): Letters =>
  text
    .trim()
    .split(/\s+/)
    .map((pair): readonly [string, string] => {
      const [latin = '', written = ''] = pair.split('=')
      return [latin, written]
    })

const cyrillic = letters(
  `shch=щ zh=ж kh=х ts=ц ch=ч sh=ш yu=ю ya=я yo=йо ye=е th=т ph=ф a=а b=б c=к d=д e=е f=ф g=г h=х i=и j=дж k=к l=л m=м n=н o=о p=п
  q=к r=р s=с t=т u=у v=в w=в x=кс y=и z=з`,
)
const greek = letters(
  `sh=σ ch=τσ kh=χ th=θ ph=φ ou=ου a=α b=μπ c=κ d=ντ e=ε f=φ g=γκ h=χ i=ι j=τζ k=κ l=λ m=μ n=ν o=ο p=π q=κ r=ρ s=σ t=τ
  u=ου v=β w=ου x=ξ y=ι z=ζ`,
)
const georgian = letters(
  `sh=შ ch=ჩ kh=ხ zh=ჟ ts=ც gh=ღ th=ტ ph=ფ a=ა b=ბ c=კ d=დ e=ე f=ფ g=გ h=ჰ i=ი j=ჯ k=კ l=ლ m=მ n=ნ o=ო p=პ q=ქ r=რ s=ს
  t=ტ u=უ v=ვ w=ვ x=ქს y=ი z=ზ`,
)
const armenian = letters(
  `sh=շ ch=չ kh=խ zh=ժ ts=ց gh=ղ th=թ ph=ֆ a=ա b=բ c=կ d=դ e=ե f=ֆ g=գ h=հ i=ի j=ջ k=կ l=լ m=մ n=ն o=օ p=պ q=ք r=ր s=ս
  t=տ u=ու v=վ w=վ x=քս y=յ z=զ`,
)
const hebrew = letters(
  `sh=ש ch=צ kh=ח ts=צ th=ת ph=פ a=א b=ב c=ק d=ד e= f=פ g=ג h=ה i=י j=ג k=ק l=ל m=מ n=נ o=ו p=פ q=ק r=ר s=ס t=ט u=ו v=ו
  w=ו x=קס y=י z=ז`,
)
/** Some vowels are long, and only those are written; which ones, the Latin spelling does not tell. */
const arabic = letters(
  `sh=ش kh=خ gh=غ th=ث dh=ذ ch=تش a= b=ب c=ك d=د e= f=ف g=ج h=ح i=ي j=ج k=ك l=ل m=م n=ن o=و p=ب q=ق r=ر s=س t=ت u= v=ف w=و
  x=كس y=ي z=ز`,
)
const devanagariConsonants = letters(
  `sh=श chh=छ ch=च kh=ख gh=घ th=थ dh=ध ph=फ bh=भ b=ब c=क d=द f=फ़ g=ग h=ह j=ज k=क l=ल m=म n=न p=प q=क़ r=र s=स t=त v=व
  w=व x=क्स y=य z=ज़`,
)
const devanagariSigns = letters('a=ा e=े i=ि o=ो u=ु')
const devanagariVowels = letters('a=आ e=ए i=इ o=ओ u=उ')

const startOf = (table: Letters, text: string): readonly [string, string] | undefined =>
  table.find(([latin]) => text.startsWith(latin))

const eachWord = (name: string, write: (word: string) => string): string =>
  name
    .toLowerCase()
    .replaceAll(/c(?=[eiy])/g, 's')
    .split(/[\s-]+/)
    .map(write)
    .join(' ')

const byTable =
  (table: Letters) =>
  (word: string): string => {
    let written = ''
    for (let rest = word; rest !== '';) {
      const [latin, letter] = startOf(table, rest) ?? [rest.slice(0, 1), '']
      written += letter
      rest = rest.slice(latin.length)
    }
    return written
  }

function inDevanagari(word: string): string {
  let written = ''
  let afterConsonant = false
  for (let rest = word; rest !== '';) {
    const consonant = startOf(devanagariConsonants, rest)
    // Doubled consonants and those that begin a word together are joined.
    const isJoined =
      afterConsonant && consonant && (written.length < 2 || rest[0] === word[word.length - rest.length - 1])
    const vowel = startOf(afterConsonant ? devanagariSigns : devanagariVowels, rest)
    const [latin, letter] = consonant ?? vowel ?? [rest.slice(0, 1), '']
    written += isJoined ? `\u094d${letter}` : letter
    afterConsonant = consonant !== undefined
    rest = rest.slice(latin.length)
  }
  return written
}

/** An a at the beginning is written, and one at the end is. */
const inArabic = (word: string): string => {
  const begins = /^[aeiou]/.test(word) ? 'ا' : ''
  const ends = word.length > 2 && word.endsWith('a') ? 'ا' : ''
  const single = word.replace(/^[aeiou]/, '').replaceAll(/(.)\1/g, '$1')
  return begins + byTable(arabic)(single) + ends
}

export const scripts: Readonly<Record<string, (name: string) => string>> = {
  Cyrillic: (name) => eachWord(name, byTable(cyrillic)),
  Greek: (name) => eachWord(name, byTable(greek)),
  Georgian: (name) => eachWord(name, byTable(georgian)),
  Armenian: (name) => eachWord(name, byTable(armenian)),
  Devanagari: (name) => eachWord(name, inDevanagari),
  Hebrew: (name) => eachWord(name, byTable(hebrew)),
  Arabic: (name) => eachWord(name, inArabic),
}
