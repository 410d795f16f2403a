import { describe, expect, it } from 'vitest'
import { newId } from '../lib/ids.ts'
import { mainFile, startProgram } from '@switchyard/stack/programs.ts'
import { testEnv, useApp } from '../../test/app/test-app.ts'

const t = useApp()

async function runAudit(): Promise<{ code: number | null; output: string }> {
  const { pathname } = new URL(t.config.DATABASE_APP_URL)
  const { DATABASE_APP_URL, DATABASE_SYSTEM_URL } = testEnv(pathname.slice(1), t.identity)
  const program = await startProgram(mainFile('audit'), {
    DATABASE_APP_URL: DATABASE_APP_URL!,
    DATABASE_SYSTEM_URL: DATABASE_SYSTEM_URL!,
  })
  const { code } = await program.exited
  return { code, output: program.output() }
}

// The examples have two organisations with an opening balance in twelve currencies: 24 transfers.
describe('npm run audit', () => {
  it('exits with 0 when every invariant holds', async () => {
    const { code, output } = await runAudit()
    expect(code).toBe(0)
    expect(output).toMatch(/^promise +examined +violations\nevery currency sums to zero +24 +0\n/)
    expect(output).toContain('\n\nEvery invariant holds.\n')
  })

  it('exits with 1 and names the broken invariant', async () => {
    const causeId = newId()
    await t.owner.query(
      `insert into ledger_transfers (org_id, cause_id, kind, phase, debit_account, credit_account, currency, amount_minor)
       values ($1, $2, 'payin', 'posted', 'provider:stripe', 'available', 'GBP', 100)`,
      [newId(), causeId],
    )
    const { code, output } = await runAudit()
    expect(code).toBe(1)
    expect(output).toMatch(/\nevery transfer of a payment has its payment +25 +1\n/)
    expect(output).toContain(`\n  ${causeId}: payin belongs to no payment\n`)
    expect(output).toContain('\n\nSome invariants are broken.\n')
  })
})
