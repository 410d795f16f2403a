import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { createTestClock } from '../../../../test/worlds/test-payments.ts'
import { useApp } from '../../../../test/app/test-app.ts'
import { foldOutcomes } from './fold-outcomes.ts'
import { writeOutcomes } from './testing/write-outcomes.ts'

/** `npm run signals:scale` sets 300 attempts a second. */
const perSecond = Number(process.env['FOLDED_PER_SECOND'] ?? 20)
const seconds = Number(process.env['FOLDED_SECONDS'] ?? 30)
/** Processor time of this process and of Postgres, for each second. */
const limitMs = 100

const clock = createTestClock()
const t = useApp({ clock })

it(`folds ${perSecond} attempts a second in a small part of each second`, async () => {
  const orgs = Array.from({ length: 5 }, () => newId())
  const accounts = Array.from({ length: 20 }, () => newId())
  while ((await foldOutcomes(t.deps))?.isCaughtUp === false);
  const spent = { process: 0, postgres: 0, passes: 0 }
  for (let second = 0; second < seconds; second++) {
    clock.pass(1_000)
    const answeredAt = clock.now()
    await writeOutcomes(
      t.owner,
      Array.from({ length: perSecond }, (_none, index) => ({
        // Each of the 60 keys is used by every organisation.
        orgId: orgs[Math.floor(index / 60) % orgs.length] ?? '',
        accountId: accounts[index % accounts.length] ?? '',
        state: index % 9 === 0 ? 'declined' : 'succeeded',
        outcomeCode: index % 9 === 0 ? 'CARD_DECLINED' : null,
        cardBrand: index % 2 === 0 ? 'visa' : 'mastercard',
        country: ['NG', 'KE', 'GH'][index % 3] ?? 'NG',
        answeredAt,
      })),
    )
    // As autovacuum would; without statistics the planner reads whole tables.
    if (second % 20 === 0) await t.owner.query('analyze attempts, payments, org_routing_buckets')
    const before = { postgres: await postgresMs(), process: process.cpuUsage() }
    await foldOutcomes(t.deps)
    const { user, system } = process.cpuUsage(before.process)
    spent.process += (user + system) / 1_000
    spent.postgres += (await postgresMs()) - before.postgres
    spent.passes++
  }
  const { rows } = await t.owner.query<{ answered: string }>(
    'select sum(answered) as answered from org_routing_buckets',
  )
  expect(Number(rows[0]?.answered)).toBe(perSecond * seconds)
  const [own, postgres] = [spent.process, spent.postgres].map((ms) => ms / spent.passes)
  process.stdout.write(`each second: ${own?.toFixed(1)} ms here, ${postgres?.toFixed(1)} ms in Postgres\n`)
  expect((own ?? 0) + (postgres ?? 0)).toBeLessThan(limitMs)
}, 600_000)

const msPerTick = 10

/** The processor time of the connections that fold; those of the owner write the attempts. */
async function postgresMs(): Promise<number> {
  const { rows } = await t.owner.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and usename <> current_user`,
  )
  return rows.reduce((sum, { pid }) => sum + ticksOf(pid) * msPerTick, 0)
}

function ticksOf(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return Number(fields[11]) + Number(fields[12])
  } catch {
    return 0
  }
}
