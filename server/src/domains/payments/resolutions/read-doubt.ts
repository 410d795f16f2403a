import { timeIn, type Tx } from '../../../kernel/db/database.ts'
import { wasRaised } from '../../people/exceptions/reads.ts'
import { findingKeyOf, type PollSchedule } from '../attempts/rules.ts'
import { openAttempt, type LoadedPayment } from '../record.ts'
import type { Doubt } from './record.ts'

/** What shows whether people may decide about a payment, by the time of the database. */
export async function readDoubt(
  { pollSchedule }: { pollSchedule: PollSchedule },
  tx: Tx,
  loaded: LoadedPayment,
): Promise<Doubt> {
  const { orgId, paymentId } = loaded.payment
  const attempt = openAttempt(loaded)
  const now = await timeIn(tx)
  if (!attempt) return { pollSchedule, now, hasOtherAmount: false }
  const findingKey = findingKeyOf('amount_differs', paymentId, attempt.attemptNo)
  return { pollSchedule, now, hasOtherAmount: await wasRaised(tx, orgId, { paymentId, findingKey }) }
}
