import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openAcceptanceLog } from './acceptance-log.ts'
import { createManualClock } from './clock.ts'
import { parseForm } from './form.ts'
import { createGate } from './gate.ts'
import { escapeHtml, renderPage, returnUrl } from './hosted-page.ts'
import { centsOf, exponentOf, majorFromMinor, scaledAmount } from './money.ts'
import { openStore } from './store.ts'

const directory = mkdtempSync(join(tmpdir(), 'simulator-'))
afterAll(() => rmSync(directory, { recursive: true }))

describe('money', () => {
  test('converting minor to major and back is lossless', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 18n }),
        fc.integer({ min: 0, max: 4 }),
        (minor, exponent) => {
          expect(scaledAmount(majorFromMinor(minor, exponent), exponent)).toBe(minor)
        },
      ),
    )
  })

  test('cents are the two digits after the decimal point', () => {
    expect(['100', '100.5', '100.16', '100.167', '0.09'].map(centsOf)).toEqual(['00', '50', '16', '16', '09'])
  })

  test('exponents follow ISO 4217', () => {
    expect(['UGX', 'xof', 'NGN', 'KWD'].map(exponentOf)).toEqual([0, 0, 2, 3])
  })

  test('invalid text has no value', () => {
    expect(['', '-1', '1e3', '1.', '.5', '1,5', '1.234'].map((text) => scaledAmount(text, 2))).toEqual(
      Array.from({ length: 7 }, () => undefined),
    )
  })
})

describe('form', () => {
  test('brackets nest, and numbered names become lists', () => {
    const text =
      'mode=payment&line_items[0][quantity]=1&line_items[0][price_data][currency]=gbp&types[]=card&types[]=link'
    expect(parseForm(text)).toEqual({
      mode: 'payment',
      line_items: [{ quantity: '1', price_data: { currency: 'gbp' } }],
      types: ['card', 'link'],
    })
  })

  test('a name that is both text and group is refused, and so is deep nesting', () => {
    expect(parseForm('a=1&a[b]=2')).toBeUndefined()
    expect(parseForm(`a${'[b]'.repeat(20)}=1`)).toBeUndefined()
  })

  test('a malicious name changes no prototype', () => {
    parseForm('__proto__[polluted]=yes&constructor[prototype][polluted]=yes')
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })
})

describe('store', () => {
  const schema = z.object({ value: z.number() })

  test('a full store evicts the oldest value and reports it', () => {
    const evicted: number[] = []
    const store = openStore({ schema, limit: 2, onEvict: ({ value }) => evicted.push(value) })
    for (const value of [1, 2, 3]) store.put(String(value), { value })
    expect(store.get('1')).toBeUndefined()
    expect([...store.values()]).toEqual([{ value: 2 }, { value: 3 }])
    expect(evicted).toEqual([1])
  })

  test('a store on disk survives its process, with the latest value of each key', () => {
    const path = join(directory, 'store.jsonl')
    const before = openStore({ schema, limit: 10, path })
    before.put('a', { value: 1 })
    before.put('a', { value: 2 })
    before.close()
    appendFileSync(path, '{"key":"half')
    const after = openStore({ schema, limit: 10, path })
    expect(after.get('a')).toEqual({ value: 2 })
    after.close()
  })
})

describe('acceptance log', () => {
  const entry = {
    provider: 'pawapay',
    account: 'default',
    kind: 'charge' as const,
    reference: 'r1',
    providerRef: 'p1',
    amount: '1',
    currency: 'GHS',
    at: '2026-01-01T00:00:00.000Z',
  }

  test('its sequence continues after a restart', () => {
    const before = openAcceptanceLog(directory)
    before.append({ ...entry, providerRef: 'ø'.repeat(200_000) })
    before.close()
    const after = openAcceptanceLog(directory)
    after.append({ ...entry, reference: 'r2' })
    expect(after.read().map(({ sequence, reference }) => [sequence, reference])).toEqual([
      [1, 'r1'],
      [2, 'r2'],
    ])
    expect(after.read({ reference: 'r2' })).toHaveLength(1)
    expect(after.read({ provider: 'stripe' })).toHaveLength(0)
    after.close()
  })
})

describe('manual clock', () => {
  test('timers run in order of their due time, and a canceled timer never runs', () => {
    const clock = createManualClock(new Date(0))
    const ran: string[] = []
    clock.after(20, () => ran.push('late'))
    clock.after(10, () => ran.push(`early at ${clock.now().getTime()}`))
    clock.after(15, () => ran.push('never'))()
    clock.advance(30)
    expect(ran).toEqual(['early at 10', 'late'])
  })
})

describe('gate', () => {
  test('running and waiting tasks are limited', async () => {
    const gate = createGate(2, 3)
    let running = 0
    let most = 0
    const task = async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      return 'done'
    }
    const results = await Promise.all(Array.from({ length: 6 }, () => gate.run(task)))
    expect(most).toBe(2)
    expect(results.filter((result) => result === 'done')).toHaveLength(5)
  })
})

describe('hosted page', () => {
  test('input of a client is escaped', () => {
    const page = renderPage({ title: '<script>', facts: [['Amount', '"><img>']], buttons: [] })
    expect(page.body).not.toContain('<script>')
    expect(page.body).not.toContain('<img>')
    expect(escapeHtml(`<'">&`)).toBe('&#60;&#39;&#34;&#62;&#38;')
  })

  test('only HTTP addresses are accepted as return addresses', () => {
    expect(returnUrl('https://shop.test/back?a=1', { status: 'ok' })).toBe(
      'https://shop.test/back?a=1&status=ok',
    )
    expect(returnUrl('javascript:alert(1)')).toBeUndefined()
    expect(returnUrl('nowhere')).toBeUndefined()
  })
})
