import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../errors.ts'
import {
  canonicalDecimal,
  InexactNumber,
  isRawNumber,
  parseJson,
  rawNumber,
  significantDigits,
} from './json.ts'

const depthLimit = 20
const parse = (text: string): unknown => parseJson(text, depthLimit)

function refusalOf(text: string, limit = depthLimit): unknown {
  try {
    parseJson(text, limit)
  } catch (error) {
    return error
  }
  return undefined
}

function expectRefused(text: string, limit?: number): void {
  expect(refusalOf(text, limit)).toBeInstanceOf(AppError)
  expect(refusalOf(text, limit)).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
}

const digits = (most: number) => fc.stringMatching(new RegExp(`^[1-9]\\d{0,${most - 1}}$`))

/** The same digits with the decimal point anywhere, with or without exponent. */
const written = (numerals: string, point: number, exponent: number | undefined, sign: string): string => {
  const at = point % (numerals.length + 1)
  const whole = numerals.slice(0, at) || '0'
  const fraction = numerals.slice(at)
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}${exponent === undefined ? '' : `e${exponent}`}`
}
const numbers = (mostDigits: number, exponents: fc.Arbitrary<number | undefined>) =>
  fc
    .tuple(digits(mostDigits), fc.nat(), exponents, fc.constantFrom('', '-'))
    .map((parts) => written(...parts))

describe('numbers', () => {
  it('of up to 15 digits are exact', () => {
    fc.assert(
      fc.property(numbers(15, fc.option(fc.integer({ min: -250, max: 250 }), { nil: undefined })), (text) => {
        const value = parse(text)
        expect(value).toBeTypeOf('number')
        expect(canonicalDecimal(String(value))).toBe(canonicalDecimal(text))
      }),
    )
  })

  it('of more than 15 digits are not turned into a double', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[1-9]\d{14,40}[1-9]$/), fc.nat(), (numerals, point) => {
        const text = written(numerals, point, undefined, '')
        expect(parse(text)).toEqual(new InexactNumber(text))
      }),
    )
  })

  it('keep either their value or their text, in every notation', () => {
    fc.assert(
      fc.property(numbers(30, fc.option(fc.integer({ min: -500, max: 500 }), { nil: undefined })), (text) => {
        const value = parse(text)
        if (value instanceof InexactNumber) expect(value.source).toBe(text)
        else expect(canonicalDecimal(String(value))).toBe(canonicalDecimal(text))
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    '1e400',
    '-1e400',
    '1e-400',
    '4e-324',
    '9007199254740993',
    '0.1000000000000000055',
    '1e99999999999',
  ])('%s is inexact', (text) => {
    expect(parse(`{"amount": ${text}}`)).toEqual({ amount: new InexactNumber(text) })
  })

  it.each([
    ['-0', -0],
    ['0', 0],
    ['0.0', 0],
    ['0e999', 0],
    ['1500.00', 1500],
    ['0.000001', 0.000001],
    ['1e2', 100],
    ['100000000000000000000', 1e20],
    ['0.100000000000000000000', 0.1],
  ])('%s is exact', (text, value) => {
    expect(parse(text)).toBe(value)
  })

  it('of more than 64 characters are refused', () => {
    expect(parse(`0.1${'0'.repeat(60)}1`)).toBeInstanceOf(InexactNumber)
    expect(() => parse(`0.1${'0'.repeat(61)}1`)).toThrow('a number of more than 64 characters')
    expect(() => parse(`{"a":0.1${'0'.repeat(200_000)}1}`)).toThrow('a number of more than 64 characters')
    expect(canonicalDecimal(`0.1${'0'.repeat(200_000)}1`)).toHaveLength(200_002 + 'e-200002'.length)
  })

  it('inside strings are not changed', () => {
    expect(parse('["9007199254740993", "1e400"]')).toEqual(['9007199254740993', '1e400'])
  })
})

describe('decimals', () => {
  it.each([
    ['0', '0'],
    ['-0.00', '0'],
    ['1500.00', '15e2'],
    ['0.0150', '15e-3'],
    ['-1.5E+3', '-15e2'],
  ])('%s is canonically %s', (text, canonical) => {
    expect(canonicalDecimal(text)).toBe(canonical)
  })

  it('count significant digits without leading and trailing zeros', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[1-9](\d{0,20}[1-9])?$/), fc.nat({ max: 9 }), (numerals, zeros) => {
        expect(significantDigits(`0.${'0'.repeat(zeros)}${numerals}`)).toBe(numerals.length)
        expect(significantDigits(`-${numerals}${'0'.repeat(zeros)}`)).toBe(numerals.length)
      }),
    )
  })

  it('are serialised with their own digits', () => {
    expect(JSON.stringify({ amount: rawNumber('1500.00') })).toBe('{"amount":1500.00}')
    expect([isRawNumber(rawNumber('1.0')), isRawNumber(1), isRawNumber({ rawJSON: '1' })]).toEqual([
      true,
      false,
      false,
    ])
  })
})

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

describe('depth', () => {
  it('is allowed up to the limit and refused beyond it, for any document', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        fc.pre(!text.includes('__proto__'))
        const depth = depthOf(JSON.parse(text))
        expect(refusalOf(text, depth)).toBeUndefined()
        if (depth > 0) expectRefused(text, depth - 1)
      }),
    )
  })

  it('does not count brackets inside strings', () => {
    expect(parse('["[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", "\\"[[[[[[[[[[[[[[[[[[[[[[", "\\\\"]')).toHaveLength(3)
  })

  it.each([
    ['open', '['.repeat(100_000)],
    ['closed', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['of objects', '{"a":'.repeat(50_000) + '1' + '}'.repeat(50_000)],
    ['after others', '[],'.repeat(10) + '['.repeat(21)],
  ])('a bomb is refused before it is parsed: %s', (_name, text) => {
    expectRefused(text)
  })
})

describe('keys', () => {
  it.each(['{"__proto__": {"admin": true}}', '{"a": [{"__proto__": 1}]}', '{"\\u005f_proto__": {}}'])(
    'that reach for the prototype are refused: %s',
    (text) => {
      expectRefused(text)
    },
  )

  it('that only resemble dangerous ones are plain data', () => {
    const body = parse('{"constructor": {"prototype": {"admin": true}}}')
    expect(Object.hasOwn(body as object, 'constructor')).toBe(true)
    expect('admin' in {}).toBe(false)
  })
})

describe('text', () => {
  it.each([
    '{"name": "a\\u0000b"}',
    '["\\ud800"]',
    '["x\\udc00\\ud800"]',
    '{"\\u0000": 1}',
    '{"\\udfff": 1}',
  ])('that Postgres cannot store is refused: %s', (text) => {
    expectRefused(text)
  })

  it('of every language is accepted unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(text.isWellFormed() && !text.includes('\0'))
        expect(parse(JSON.stringify({ text }))).toEqual({ text })
      }),
    )
  })
})

describe('a document', () => {
  it('that is not JSON is refused without an exception', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        let isJson = true
        try {
          JSON.parse(text)
        } catch {
          isJson = false
        }
        fc.pre(!isJson)
        expectRefused(text)
      }),
    )
  })
})

describe('the scan that spares most bodies the exact parser', () => {
  /** The exponent in the second element makes the exact parser read the whole text. */
  const parseExactly = (text: string): unknown => (parseJson(`[${text},1e0]`, depthLimit + 1) as unknown[])[0]
  const outcomeOf = (read: (text: string) => unknown, text: string): unknown => {
    try {
      return { value: read(text) }
    } catch (error) {
      return { refusal: String(error) }
    }
  }
  const isJson = (text: string): boolean => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
  const strings = fc.oneof(
    fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
    fc.constantFrom(
      '"\\u0000"',
      '"\\ud800"',
      '"\ud800"',
      '"\\u0041"',
      '"__proto__"',
      '"\\u005f_proto__"',
      '"1e5"',
    ),
    fc.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{12}$/).map((text) => `"${text}"`),
  )
  const space = fc.constantFrom('', ' ', '\n', '\t ', '\r\n')
  const spaced = (text: fc.Arbitrary<string>) => fc.tuple(space, text, space).map((parts) => parts.join(''))
  const { document } = fc.letrec<{ document: string }>((tie) => ({
    document: spaced(
      fc.oneof(
        { maxDepth: 4 },
        strings,
        numbers(20, fc.option(fc.integer({ min: -400, max: 400 }), { nil: undefined })),
        fc.constantFrom('true', 'null', '-0', '0', '1E2', '1e+2'),
        fc.array(tie('document'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
        fc
          .array(fc.tuple(spaced(strings), tie('document')), { maxLength: 4 })
          .map((fields) => `{${fields.map((field) => field.join(':')).join(',')}}`),
      ),
    ),
  }))

  it('changes no value and lifts no refusal', () => {
    fc.assert(
      fc.property(document, (text) => {
        expect(outcomeOf(parse, text)).toEqual(outcomeOf(parseExactly, text))
      }),
      { numRuns: 3_000 },
    )
  })

  it('nor of a text with a character changed', () => {
    fc.assert(
      fc.property(
        document,
        fc.nat(),
        fc.constantFrom('', '\\', '"', '-', '.', '9', 'e', '_', '\0', '{'),
        (text, at, put) => {
          const changed =
            text.slice(0, at % (text.length + 1)) + put + text.slice((at % (text.length + 1)) + 1)
          if (isJson(changed)) expect(outcomeOf(parse, changed)).toEqual(outcomeOf(parseExactly, changed))
          else expectRefused(changed)
        },
      ),
      { numRuns: 3_000 },
    )
  })
})
