import { describe, expect, it } from 'vitest'
import { runInProcess, type CliRun } from '../testing/test-io.ts'

const payment = '0198c0de-7a1b-7c3d-9e4f-000000000001'

/** Runs a command on a production profile whose server accepts everything. */
async function run(args: readonly string[], answers: string[] = []): Promise<CliRun & { writes: string[] }> {
  const writes: string[] = []
  const result = await runInProcess(args, {
    answers,
    env: {
      SWITCHYARD_API_KEY: 'sy_live_key',
      SWITCHYARD_BASE_URL: 'https://pay.example.com',
      SWITCHYARD_CONFIG: '/nowhere/config.json',
    },
    fetch: (_input, init) => {
      if (init?.method !== 'GET') writes.push(typeof init?.body === 'string' ? init.body : '')
      const body = { amount: 25, currency: 'GBP', response: {}, data: {} }
      return Promise.resolve(new Response(JSON.stringify(body)))
    },
  })
  return { ...result, writes }
}

describe('money in production', () => {
  it('moves when the amount is retyped', async () => {
    const { code, said, writes } = await run(['refunds', 'create', payment, '-d', 'amount=20'], ['20'])
    expect(said).toContain('in production (https://pay.example.com): 20 GBP (the payment is 25 GBP).')
    expect(code).toBe(0)
    expect(writes).toEqual(['{"amount":20}'])
  })

  it.each([
    ['another amount', ['refunds', 'create', payment, '-d', 'amount=20'], ['2']],
    ['yes', ['refunds', 'create', payment, '-d', 'amount=20'], ['yes']],
    ['no amount, and another name', ['payout-batches', 'approve', payment], ['20']],
  ])('does not move for %s', async (_title, args, answers) => {
    const { code, writes } = await run(args, answers)
    expect(code).toBe(2)
    expect(writes).toEqual([])
  })

  it('moves without an amount when the name of the profile is typed', async () => {
    expect((await run(['payout-batches', 'approve', payment], ['environment'])).writes).toHaveLength(1)
  })

  it('moves without confirmation with --yes, and other commands do not ask', async () => {
    expect((await run(['refunds', 'create', payment, '--yes', '-d', 'amount=20'])).writes).toHaveLength(1)
    expect((await run(['payments', 'preview', '-d', 'amount=20'])).writes).toHaveLength(1)
    const dryRun = ['payout-batches', 'create', '--dry-run', '-d', 'rows:=[]']
    expect((await run(dryRun)).writes).toHaveLength(1)
  })
})
