import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimalText } from './decimal.ts'
import { parseByScan, readJson, readUnknownJson, writeJson } from './decimal-json.ts'

const digits = fc.stringMatching(/^\d{0,30}$/)
const decimal = fc
  .tuple(fc.constantFrom('', '-'), fc.stringMatching(/^(?:0|[1-9]\d{0,29})$/), digits)
  .map(([sign, whole, fraction]) => `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`)

describe('decimals', () => {
  it('any decimal goes out as a number and comes back with the same digits', () => {
    fc.assert(
      fc.property(decimal, fc.array(decimal), (amount, rows) => {
        const paths = ['amount', 'rows.*.rate', 'by.*']
        const body = { amount, rows: rows.map((rate) => ({ rate })), by: { NGN: amount }, note: amount }
        const text = writeJson(body, paths)
        expect(text.startsWith(`{"amount":${amount},`)).toBe(true)
        expect(readJson(text, paths)).toEqual(body)
      }),
    )
  })

  it('any number that is accepted keeps its value', () => {
    fc.assert(
      fc.property(fc.oneof(fc.double(), fc.integer(), fc.maxSafeInteger()), (value) => {
        let text: string | undefined
        try {
          text = decimalText(value, 'amount')
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError)
          return
        }
        expect(Number(text)).toBe(value === 0 ? 0 : value)
        const digits = text.replaceAll(/\D/g, '').replace(/^0+/, '')
        expect(digits.length).toBeLessThanOrEqual(17)
      }),
    )
  })

  it.each([0.1 + 0.2, 1e21, 2 ** 53, 1.1 * 3, 1e-7, NaN, Infinity])('the number %d is refused', (value) => {
    expect(() => decimalText(value, 'amount')).toThrow('amount is the number')
  })

  it.each(['', ' 5', '5 ', '+5', '05', '.5', '5.', '1e3', '1,000', 'five', '0x10'])(
    'the text %j is refused',
    (value) => {
      expect(() => decimalText(value, 'rows.0.amount')).toThrow('rows.0.amount is')
    },
  )

  it.each([
    [5000, '5000'],
    [0.1, '0.1'],
    [-12.5, '-12.5'],
    [9_007_199_254_740_991, '9007199254740991'],
    [123_456_789.012345, '123456789.012345'],
    [12n, '12'],
    [-0, '0'],
  ])('%d is sent as %s', (value, text) => {
    expect(decimalText(value, 'amount')).toBe(text)
  })
})

describe('JSON', () => {
  it('the scanner reads what JSON.parse reads, and refuses what it refuses', () => {
    const outcome = (read: () => unknown): unknown => {
      try {
        return JSON.stringify(read())
      } catch (error) {
        return error instanceof SyntaxError ? 'refused' : error
      }
    }
    // NumberSource has one field, which serialises to the digits of the number.
    const scanned = (text: string) =>
      outcome(() => JSON.parse(JSON.stringify(parseByScan(text)), (_key, value) => value?.text ?? value))
    const parsed = (text: string) =>
      outcome(() =>
        JSON.parse(text, ((_key: string, value: unknown, { source }: { source: string }) =>
          typeof value === 'number' ? source : value) as () => unknown),
      )
    const broken = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', '"', '\\', '-', '1', '.', 'e', '{', ']', 'tru'))
      .map(([text, at, change]) => {
        const index = at % (text.length + 1)
        return text.slice(0, index) + change + text.slice(index + 1)
      })
    fc.assert(
      fc.property(fc.oneof(fc.json(), broken), (text) => {
        fc.pre(!text.includes('"text"'))
        expect(scanned(text)).toBe(parsed(text))
      }),
    )
  })

  it('numbers elsewhere stay numbers, in metadata too', () => {
    const text = '{"count":3,"share":12.50,"metadata":{"amount":1.50,"__proto__":1},"amount":1.50}'
    const read = readJson(text, ['amount']) as { metadata: object }
    expect(read).toEqual(JSON.parse(text.replace('"amount":1.50}', '"amount":"1.50"}')))
    expect(Object.keys(read.metadata)).toEqual(['amount', '__proto__'])
  })

  it('in a shape that is not known, numbers with a fractional part are text', () => {
    expect(readUnknownJson('{"amount":1500.00,"count":3,"rows":[{"rate":0.10}]}')).toEqual({
      amount: '1500.00',
      count: 3,
      rows: [{ rate: '0.10' }],
    })
  })

  it('writes what JSON.stringify writes where there are no decimals', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(writeJson(value, [])).toBe(JSON.stringify(value))
      }),
    )
    const odd = { at: new Date(0), left: undefined, list: [undefined, null], 'a "b"': 'c\u2028' }
    expect(writeJson(odd, [])).toBe(JSON.stringify(odd))
  })

  it('refuses NaN and Infinity, which JSON would turn into null', () => {
    expect(() => writeJson({ limits: [{ share: NaN }] }, [])).toThrow('limits.0.share is NaN')
  })
})
