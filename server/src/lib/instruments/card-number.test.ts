import cardValidator from 'card-validator'
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hasCardNumber, redactCardNumbers } from './card-number.ts'

const luhn = (digits: string): boolean =>
  Array.from(digits, Number)
    .reverse()
    .reduce(
      (sum, digit, index) => sum + (index % 2 === 1 ? (digit * 2 > 9 ? digit * 2 - 9 : digit * 2) : digit),
      0,
    ) %
    10 ===
  0
const digits = (count: number): string => Array.from({ length: count }, () => randomInt(10)).join('')
const withCheckDigit = (start: string): string =>
  Array.from('0123456789', (last) => start + last).find(luhn) ?? ''

const { creditCardType } = cardValidator

describe('a card number is seen', () => {
  it.each([
    ['Visa', '4242424242424242'],
    ['Visa with 19 digits', withCheckDigit('411111111111111111')],
    ['Mastercard', '5555555555554444'],
    ['Mastercard, 2 series', '2223003122003222'],
    ['American Express', '378282246310005'],
    ['Diners Club', '30569309025904'],
    ['Discover', '6011111111111117'],
    ['JCB', '3566002020360505'],
    ['UnionPay', '6200000000000005'],
    ['Maestro', '6759649826438453'],
    ['Verve', withCheckDigit('506099000000000')],
  ])('%s', (_brand, number) => {
    expect(hasCardNumber(number)).toBe(true)
    expect(hasCardNumber(`Please charge ${number}, thanks`)).toBe(true)
    expect(hasCardNumber(number.slice(0, -1) + String((Number(number.at(-1)) + 1) % 10))).toBe(false)
  })

  const number = '4242424242424242'
  const quartets = ['4242', '4242', '4242', '4242']
  const digitsFrom = (zero: number) =>
    number.replaceAll(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)))
  const written: (readonly [string, string])[] = [
    ...[
      ' ',
      '  ',
      '-',
      '.',
      '_',
      '/',
      ',',
      ' - ',
      ':',
      '\n',
      '\u00a0',
      '\u2009',
      '\u2011',
      '\u2013',
      '·',
    ].map(
      (separator) => [`with ${JSON.stringify(separator)} between groups`, quartets.join(separator)] as const,
    ),
    ['with mixed separators', '4242-4242 4242.4242'],
    ['with a space after each digit', number.split('').join(' ')],
    ['with thousands separators', '4,242,424,242,424,242'],
    ['with zero-width spaces', number.split('').join('\u200b')],
    ['with a byte order mark and a soft hyphen', '42\ufeff42\u00ad424242424242'],
    ['with combining characters', number.split('').join('\u0332')],
    ['in full-width digits', digitsFrom(0xff10)],
    ['in Arabic-Indic digits', digitsFrom(0x660)],
    ['in Persian digits', digitsFrom(0x6f0)],
    ['in Devanagari digits', digitsFrom(0x966)],
    ['in mathematical digits', digitsFrom(0x1d7ce)],
    ['between letters', `card${number}end`],
    ['as track data', `;${number}=25121011000000000?`],
    ['after another number', `12 ${number}`],
    ['after other groups', '17 4242 4242 4242 4242'],
    ['before a security code', '4242 4242 4242 4242 123'],
    ['in a UUID without letters', '42424242-4242-4242-0000-000000000000'],
  ]
  it.each(written)('%s', (_title, text) => {
    expect(hasCardNumber(text)).toBe(true)
    expect(hasCardNumber(`a: ${text} b`)).toBe(true)
    expect(redactCardNumbers(`a: ${text} b`)).toContain('[card number ending in 4242]')
    expect(hasCardNumber(redactCardNumbers(`a: ${text} b`))).toBe(false)
  })

  /** These lengths are also those of phone and account numbers, and hardly any card has them. */
  const leftOut = (type: string, length: number): boolean =>
    length < 14 || (length < 16 && ['unionpay', 'maestro'].includes(type)) || (length > 16 && length < 19)
  it('of every brand that the card field accepts', () => {
    for (const type of Object.values(creditCardType.types)) {
      const info = creditCardType.getTypeInfo(type)
      for (const pattern of info.patterns.flat().map(String))
        for (const length of info.lengths.filter((one) => !leftOut(type, one))) {
          const sample = withCheckDigit(pattern + digits(length - 1 - pattern.length))
          const isDiners16 = type === 'diners-club' && pattern.startsWith('30') && length > 14
          expect([type, sample, hasCardNumber(sample) || isDiners16]).toEqual([type, sample, true])
        }
    }
  })
})

describe('another number is not taken for one', () => {
  const many = <T>(make: () => T): T[] => Array.from({ length: 5000 }, make)
  it.each([
    [
      'times in milliseconds and nanoseconds',
      () => `${Date.now() - randomInt(1e11)} ${Date.now()}${digits(6)}`,
    ],
    ['times as digits', () => `20${randomInt(10, 40)}${randomInt(1000, 1231)}${digits(6)}${digits(3)}`],
    ['ISO times', () => new Date(randomInt(2 ** 47)).toISOString()],
    ['UUIDs', () => randomUUID()],
    ['UUIDs with a prefix', () => `order-${randomUUID()}`],
    ['hashes', () => randomBytes(32).toString('hex')],
    ['wallet addresses', () => `0x${randomBytes(20).toString('hex')}`],
    ['object ids', () => randomBytes(12).toString('hex')],
    ['base64', () => randomBytes(300).toString('base64')],
    ['phone numbers', () => `+${randomInt(1, 10)}${digits(randomInt(9, 13))}`],
    ['phone numbers without a plus', () => `${randomInt(1, 10)}${digits(randomInt(6, 13))}`],
    ['account numbers of up to 13 digits', () => digits(randomInt(6, 14))],
    ['amounts', () => `${randomInt(1e9)}.${digits(2)} ${randomInt(1e9)}.${digits(2)}`],
    ['date ranges', () => `${dayOf()} - ${dayOf()}`],
    ['Mexican account numbers', () => `646180${digits(12)}`],
  ])('%s', (_title, make) => {
    expect(many(make).filter(hasCardNumber)).toEqual([])
  })

  const dayOf = (): string =>
    `${String(randomInt(1, 13)).padStart(2, '0')}/${String(randomInt(1, 32)).padStart(2, '0')}/${randomInt(2020, 2040)}`

  it('IBANs, together and in groups of four', () => {
    const ibans = many(() => ibanOf('DE', digits(18)))
      .concat(many(() => ibanOf('GR', `3000${digits(19)}`)))
      .concat(many(() => ibanOf('AT', digits(16))))
    for (const iban of ibans) {
      expect([iban, hasCardNumber(iban)]).toEqual([iban, false])
      const grouped = iban.replaceAll(/(.{4})/g, '$1 ').trim()
      expect([grouped, hasCardNumber(`Pay ${grouped} soon`)]).toEqual([grouped, false])
    }
  })

  const ibanOf = (country: string, bban: string): string => {
    const number = Array.from(`${bban}${country}00`, (one) => Number.parseInt(one, 36)).join('')
    return `${country}${String(98n - (BigInt(number) % 97n)).padStart(2, '0')}${bban}`
  }

  it('of random references of 16 digits, fewer than one in twenty', () => {
    const share = many(() => digits(16)).filter(hasCardNumber).length / 5000
    expect(share).toBeGreaterThan(0.02)
    expect(share).toBeLessThan(0.05)
  })

  it('a reference with a letter between its digits', () => {
    expect(hasCardNumber('42424242R42424242')).toBe(false)
  })
})
