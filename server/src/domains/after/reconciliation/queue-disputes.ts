import { enqueueStatement } from '../../../kernel/engine/outbox.ts'
import { newId } from '../../../lib/ids.ts'
import type { ReconciliationDeps } from './record.ts'
import { selectAccountsAcrossOrgs } from './store.ts'

/** Payers may dispute a payment for about four months. */
const disputableMs = 130 * 24 * 60 * 60_000
/** Open disputes are asked for one by one, so the list has to cover only what was opened lately. */
const listedMs = 10 * 24 * 60 * 60_000

/** Queues one job per account, so that an unreadable account does not delay the others. */
export async function queueDisputes(deps: Pick<ReconciliationDeps, 'db'>): Promise<void> {
  const nowMs = (await deps.db.now()).getTime()
  const accounts = await deps.db.acrossOrgs((tx) =>
    selectAccountsAcrossOrgs(tx, new Date(nowMs - disputableMs)),
  )
  const since = new Date(nowMs - listedMs).toISOString()
  await deps.db.batchAcrossOrgs(
    accounts.map(({ ownerId, accountId, provider }) =>
      enqueueStatement(ownerId, [
        {
          outboxId: newId(),
          service: 'Reconciliation',
          handler: 'disputesOf',
          payload: { ownerId, accountId, provider, since },
        },
      ]),
    ),
  )
}
