import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signTestWebhook } from '@switchyard/sdk'
import { afterAll, describe, expect, it } from 'vitest'
import { generatedCommands } from '../generated/commands.ts'
import { keyEnv, runInProcess } from '../testing/test-io.ts'

const directory = mkdtempSync(join(tmpdir(), 'switchyard-cli-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const secret = 'whsec_c2VjcmV0LW9mLW15LW93bi1jaG9pY2U='
const event = { event_type: 'payment.completed', data: { payment_id: 'p-1', amount: '1500.00' } }
const headerText = (headers: object): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\r\n')

describe('webhooks verify and sign', () => {
  const options = { env: { SWITCHYARD_WEBHOOK_SECRET: secret }, cwd: directory }
  const { body, headers } = signTestWebhook(event, secret)
  writeFileSync(join(directory, 'body.json'), body)
  writeFileSync(join(directory, 'headers.txt'), headerText(headers))

  it('recognise a genuine delivery, with its exact amounts', async () => {
    const run = await runInProcess(['webhooks', 'verify', 'body.json', '--headers', 'headers.txt'], options)
    expect(run).toMatchObject({ code: 0, said: expect.stringContaining('Genuine: payment.completed') })
    expect(JSON.parse(run.printed[0] ?? '')).toMatchObject({ data: { amount: '1500.00' } })
  })

  it.each([
    [
      'another secret',
      { env: { SWITCHYARD_WEBHOOK_SECRET: 'whsec_b3RoZXI=' } },
      'the signature does not match',
    ],
    ['an old timestamp', { now: () => new Date(Date.now() + 3_600_000) }, 'too far from now'],
  ])('tell %s', async (_title, change, message) => {
    const args = ['webhooks', 'verify', 'body.json', '--headers', 'headers.txt']
    const run = await runInProcess(args, { ...options, ...change })
    expect(run).toMatchObject({ code: 1, printed: [], said: expect.stringContaining(message) })
    expect(run.said).not.toContain(secret.slice(6))
  })

  it('sign a body so that it is genuine', async () => {
    const signed = await runInProcess(['webhooks', 'sign', '-'], { ...options, stdin: body })
    writeFileSync(join(directory, 'signed.txt'), signed.printed.join('\n'))
    const args = ['webhooks', 'verify', 'body.json', '--headers', 'signed.txt', '--tolerance', '0']
    expect((await runInProcess(args, options)).code).toBe(0)
    expect((await runInProcess(['webhooks', 'sign', '-'], { ...options, stdin: 'no' })).code).toBe(2)
  })
})

describe('completion', () => {
  const complete = async (...words: string[]) => (await runInProcess(['complete', '--', ...words])).printed

  it('offers resources, verbs, flags and values', async () => {
    expect(await complete('pay')).toEqual(['payment-links', 'payments', 'payout-batches'])
    expect(await complete('payments', 't')).toEqual(['timeline'])
    expect(await complete('events', '')).toEqual(['get', 'list', 'replay', 'tail'])
    expect(await complete('transactions', 'list', '--cur')).toEqual(['--currency'])
    expect(await complete('disputes', 'list', '--state', 'w')).toContain('won')
    expect(await complete('trigger', 'payment.c')).toEqual(['payment.completed'])
    expect(await complete('')).toContain('listen')
  })

  it.each(['bash', 'zsh', 'fish'])('has a script for %s', async (shell) => {
    expect((await runInProcess(['completion', shell])).printed.join('\n')).toContain('switchyard complete --')
  })

  it('refuses another shell', async () => {
    expect((await runInProcess(['completion', 'dos'])).code).toBe(2)
  })
})

describe('open', () => {
  it('prints the address of a payment in the dashboard', async () => {
    const id = '0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f'
    const run = await runInProcess(['open', id], { env: keyEnv('https://pay.example.com') })
    expect(run.printed).toEqual([`https://pay.example.com/dashboard/payments/${id}`])
  })
})

describe('help', () => {
  it('lists every resource and the tools', async () => {
    const { code, printed } = await runInProcess(['--help'])
    expect(code).toBe(0)
    const text = printed.join('\n')
    for (const name of ['listen', 'trigger', 'login', 'api', 'transactions', 'payout-batches'])
      expect(text).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'))
    expect(generatedCommands.length).toBeGreaterThan(100)
  })
})
