import { Writable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLog, type Log } from './log.ts'

const cardNumber = '4111111111111111'

function capture(): { log: Log; text: () => string; lines: () => Record<string, unknown>[] } {
  const chunks: string[] = []
  const destination = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk))
      done()
    },
  })
  const text = (): string => chunks.join('')
  return {
    log: createLog('trace', destination),
    text,
    lines: () =>
      text()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
  }
}

const failure = (message: string, more?: ErrorOptions): Error => new Error(message, more)

describe('a log line', () => {
  it('keeps the fields of the allow-list, its level, time and message', () => {
    const { log, lines } = capture()
    log.info({ requestId: 'r-1', status: 200, userId: null }, 'request')
    expect(lines()).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/Z$/),
        requestId: 'r-1',
        status: 200,
        userId: null,
        msg: 'request',
      },
    ])
  })

  it('drops a field that is not on the list, whatever its name', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (name, value) => {
        const { log, lines } = capture()
        const field = `x${name}`
        log.info({ [field]: value }, 'request')
        expect(Object.keys(lines()[0]!)).toEqual(['level', 'time', 'msg'])
      }),
    )
  })

  it('never contains the contents of an object, even under an allowed name', () => {
    const { log, text, lines } = capture()
    const secret = { card_number: cardNumber, nested: [{ deeper: cardNumber }] }
    log.info(
      { status: secret, route: [cardNumber], req: secret, code: new Map([[cardNumber, 1]]) },
      'request',
    )
    expect(text()).not.toContain(cardNumber)
    expect(lines()[0]).toMatchObject({ status: '[object]', route: '[object]', code: '[object]' })
  })

  it('applies the same list to the bindings of a child logger', () => {
    const { log, text, lines } = capture()
    log
      .child({ cardNumber, requestId: 'r-1' })
      .child({ body: { cardNumber } }, { level: 'info' })
      .info('request')
    expect(text()).not.toContain(cardNumber)
    expect(lines()[0]).toMatchObject({ requestId: 'r-1', msg: 'request' })
  })
})

describe('an error in a log line', () => {
  const throwers: [string, (log: Log, error: Error) => void][] = [
    ['with a message of ours', (log, error) => log.error({ err: error }, 'request failed')],
    ['without a message', (log, error) => log.error({ err: error })],
    ['alone', (log, error) => log.error(error)],
    ['alone, with a message of ours', (log, error) => log.error(error, 'request failed')],
    ['with its own message, as Fastify does it', (log, error) => log.error({ err: error }, error.message)],
    ['under another name', (log, error) => log.error({ error, cause: error }, 'request failed')],
    ['in a child logger', (log, error) => log.child({ requestId: 'r-1' }).error(error)],
  ]
  const errors: [string, () => Error][] = [
    ['a plain error', () => failure(`duplicate key (card)=(${cardNumber})`)],
    ['a cause', () => failure('outer', { cause: failure(cardNumber, { cause: failure(cardNumber) }) })],
    ['a message that looks like a frame', () => failure(`x\n    at ${cardNumber} (file:///x.ts:1:1)`)],
    [
      'further properties',
      () => Object.assign(failure('x'), { detail: cardNumber, parameters: [cardNumber] }),
    ],
    ['a thrown object as cause', () => failure('x', { cause: { card: cardNumber } })],
    ['a changed message', () => Object.assign(failure(`x\n    at ${cardNumber}`), { message: 'y' })],
  ]

  it.each(throwers.flatMap(([how, write]) => errors.map(([what, make]) => ({ how, what, write, make }))))(
    'never leaks a card number: $what, logged $how',
    ({ write, make }) => {
      const { log, text } = capture()
      write(log, make())
      expect(text()).toContain('"level":"error"')
      expect(text()).not.toContain(cardNumber)
    },
  )

  it('has its kind, its code and its origin', () => {
    const { log, lines } = capture()
    const error = Object.assign(failure('secret', { cause: new TypeError('secret') }), { code: '23505' })
    log.error({ err: error }, 'request failed')
    expect(lines()[0]).toMatchObject({
      err: { type: 'Error', code: '23505', cause: { type: 'TypeError' } },
      msg: 'request failed',
    })
    expect(JSON.stringify(lines()[0]!['err'])).toContain('log.test.ts')
  })

  it('may be any thrown value', () => {
    const { log, text, lines } = capture()
    for (const thrown of [cardNumber, { cardNumber }, null, undefined, 7])
      log.error({ err: thrown }, 'failed')
    expect(lines()).toHaveLength(5)
    expect(text()).not.toContain(cardNumber)
  })
})
