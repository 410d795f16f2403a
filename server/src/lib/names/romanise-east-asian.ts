import anyAscii from 'any-ascii'

/** Chinese and Korean names as passports write them: the surname, then the given name. */

const words = (text: string): string[] => text.trim().split(/\s+/)

/** Characters that are read in another way in surnames than elsewhere. */
const surnames: ReadonlyMap<string, string> = new Map(
  words(
    `单/shan 單/shan 曾/zeng 解/xie 翟/zhai 查/zha 仇/qiu 区/ou 區/ou 盖/ge 蓋/ge 乐/yue 樂/yue 盛/sheng 缪/miao 繆/miao
    朴/piao 葛/ge 员/yun 員/yun 召/shao 种/chong 折/she 纪/ji 紀/ji 任/ren 宁/ning 甯/ning 长孙/zhangsun 長孫/zhangsun
    尉迟/yuchi 尉遲/yuchi 单于/chanyu 單于/chanyu 万俟/moqi 欧阳/ouyang 歐陽/ouyang 司马/sima 司馬/sima 诸葛/zhuge
    諸葛/zhuge 上官/shangguan 夏侯/xiahou 东方/dongfang 東方/dongfang 皇甫/huangfu 公孙/gongsun 公孫/gongsun 慕容/murong
    令狐/linghu 司徒/situ 轩辕/xuanyuan 軒轅/xuanyuan 宇文/yuwen 南宫/nangong 南宮/nangong 呼延/huyan 端木/duanmu`,
  ).map((pair): [string, string] => {
    const [characters = '', reading = ''] = pair.split('/')
    return [characters, reading]
  }),
)
const han = /\p{Script=Han}+/gu
/** A longer run of characters is the name of a company or of a place, which has no surname. */
const longestPersonalName = 4

/** 习近平 becomes "xi jinping". */
export const romaniseHan = (text: string): string => text.replaceAll(han, (run) => ` ${readHan(run)} `)

function readHan(run: string): string {
  const characters = Array.from(run)
  const surnameLength = surnames.has(characters.slice(0, 2).join('')) ? 2 : 1
  if (characters.length > longestPersonalName || characters.length <= surnameLength)
    return readings(characters)
  const surname = characters.slice(0, surnameLength).join('')
  return `${surnames.get(surname) ?? readings([surname])} ${readings(characters.slice(surnameLength))}`
}

const readings = (characters: readonly string[]): string => anyAscii(characters.join('')).toLowerCase()

const initials = 'k kk n t tt r m p pp s ss . ch tch ch k t p h'.split(' ')
const vowels = 'a ae ya yae o e yo ye o wa wae oe yo u wo we wi yu u ui i'.split(' ')
const finals = '. k k k n n n t l k m l l l p l m p p t t ng t t k t p t'.split(' ')
const [firstSyllable, lastSyllable] = [0xac00, 0xd7a3] as const
/** A surname that begins with i or u was written with an r in the North, and lists keep it. */
const koreanSurnames: ReadonlyMap<string, string> = new Map([
  ['이', 'ri'],
  ['임', 'rim'],
  ['유', 'ryu'],
  ['노', 'ro'],
])
const hangul = /[\uac00-\ud7a3]+/g

/** 김정은 becomes "kim chong un": each syllable is a word, as lists of sanctions write Korean names. */
export const romaniseHangul = (text: string): string =>
  text.replaceAll(hangul, (run) => ` ${Array.from(run, readSyllable).join(' ')} `)

function readSyllable(syllable: string, at: number): string {
  const surname = at === 0 ? koreanSurnames.get(syllable) : undefined
  const code = (syllable.codePointAt(0) ?? 0) - firstSyllable
  if (surname !== undefined || code < 0 || code > lastSyllable - firstSyllable) return surname ?? ''
  const perInitial = vowels.length * finals.length
  const parts = [
    initials[Math.floor(code / perInitial)],
    vowels[Math.floor((code % perInitial) / finals.length)],
    finals[code % finals.length],
  ]
  return parts.filter((part) => part !== '.').join('')
}
