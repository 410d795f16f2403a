import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { useApp } from '../../../../test/app/test-app.ts'
import { isOpen, isSettled, statuses } from './rules.ts'
import { attemptStates } from '../testing/sample-facts.ts'

const t = useApp()

it('the database calls the same payments open as the rules', async () => {
  for (const status of statuses) {
    const { rows } = await t.owner.query(
      `insert into payments (org_id, payment_id, user_id, direction, payment_method, country, currency, amount_minor,
         target_currency, target_amount_minor, status, version, private_sealed, routing, request_id)
       values ($1, $2, 'u', 'inbound', 'card', 'NG', 'NGN', 1, 'NGN', 1, $3, 1, '', '{}', 'r') returning is_open`,
      [t.seed.orgs[0]?.org_id, randomUUID(), status],
    )
    expect([status, rows[0].is_open]).toEqual([status, !isSettled(status)])
  }
})

it('the database calls the same attempts open as the rules', async () => {
  const client = await t.owner.connect()
  // These attempts have no route, which the gate would refuse.
  await client.query('set session_replication_role = replica')
  for (const state of attemptStates) {
    const { rows } = await client.query(
      `insert into attempts (org_id, payment_id, attempt_no, provider, config_id, account_id, custody, reference, state,
         deadline_at)
       values ($1, $2, 1, 'manual', $2, $2, 'pooled', $2, $3, now()) returning is_open`,
      [t.seed.orgs[0]?.org_id, randomUUID(), state],
    )
    expect([state, rows[0].is_open]).toEqual([state, isOpen(state)])
  }
  client.release(true)
})

it('a change of status within the open ones writes no index', async () => {
  const client = await t.owner.connect()
  try {
    await client.query('begin')
    await client.query('set local session_replication_role = replica')
    const paymentId = randomUUID()
    const orgId = t.seed.orgs[0]?.org_id
    await client.query(
      `insert into payments (org_id, payment_id, user_id, direction, payment_method, country, currency, amount_minor,
         target_currency, target_amount_minor, status, version, private_sealed, routing, request_id)
       values ($1, $2, 'u', 'inbound', 'card', 'NG', 'NGN', 1, 'NGN', 1, 'confirmed', 1, '', '{}', 'r')`,
      [orgId, paymentId],
    )
    await client.query(
      `insert into attempts (org_id, payment_id, attempt_no, provider, config_id, account_id, custody, reference, state,
         deadline_at)
       values ($1, $2, 1, 'manual', $2, $2, 'pooled', $2, 'sending', now())`,
      [orgId, paymentId],
    )
    for (const status of ['processing', 'pending', 'completed'])
      await client.query('update payments set status = $1, version = version + 1 where payment_id = $2', [
        status,
        paymentId,
      ])
    await client.query("update attempts set state = 'accepted' where payment_id = $1", [paymentId])
    const { rows } = await client.query(
      `select relname, n_tup_upd::integer as updated, n_tup_hot_upd::integer as hot
       from pg_stat_xact_user_tables where relname in ('payments', 'attempts') order by 1`,
    )
    expect(rows).toEqual([
      { relname: 'attempts', updated: 1, hot: 1 },
      { relname: 'payments', updated: 3, hot: 2 },
    ])
  } finally {
    await client.query('rollback')
    client.release()
  }
})

it('the open payments are read from their index', async () => {
  const client = await t.owner.connect()
  try {
    await client.query('begin; set local enable_seqscan = off')
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      "explain select from payments where is_open and status in ('confirmed', 'pending') order by payment_id limit 9",
    )
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('payments_open')
  } finally {
    await client.query('rollback')
    client.release()
  }
})
