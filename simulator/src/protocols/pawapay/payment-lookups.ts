import { json, type Answer } from '../../core/answer.ts'
import { runInBackground } from '../../core/background.ts'
import type { Call } from '../../core/call.ts'
import type { MoneyOperation, Transaction } from '../../core/transaction.ts'
import type { Kit } from '../../protocol.ts'
import { failureMessageOf, rejection } from './failures.ts'
import { ID_NAMES, idOf, presentPayment, statusOf } from './present.ts'

export function lookUpPayment(kit: Kit, call: Call, operation: MoneyOperation): Answer {
  const transaction = findPayment(kit, call, operation)
  if (transaction === undefined) return json(200, { status: 'NOT_FOUND' })
  return json(200, { status: 'FOUND', data: presentPayment(transaction) })
}

export function resendCallback(kit: Kit, call: Call, operation: MoneyOperation): Answer {
  const id = idOf(operation, referenceOf(call, operation))
  const transaction = findPayment(kit, call, operation)
  if (transaction === undefined) return rejection(id, 'NOT_FOUND')
  const status = statusOf(transaction)
  if (status !== 'COMPLETED' && status !== 'FAILED') return rejection(id, 'INVALID_STATE')
  runInBackground(() => kit.resendWebhooks(transaction))
  return json(200, { ...id, status: 'ACCEPTED' })
}

export async function failEnqueued(kit: Kit, call: Call, operation: MoneyOperation): Promise<Answer> {
  const id = idOf(operation, referenceOf(call, operation))
  const transaction = findPayment(kit, call, operation)
  if (transaction === undefined) return rejection(id, 'NOT_FOUND')
  if (statusOf(transaction) !== 'ENQUEUED') return rejection(id, 'INVALID_STATE')
  const code = 'MANUALLY_CANCELLED'
  await kit.move(transaction, { state: 'pending' }, [
    {
      afterMs: kit.delayMs,
      state: 'failed',
      failure: { code, message: failureMessageOf(code) },
      details: { enqueued: false },
    },
  ])
  return json(200, { ...id, status: 'ACCEPTED' })
}

function findPayment(kit: Kit, call: Call, operation: MoneyOperation): Transaction | undefined {
  const reference = referenceOf(call, operation)
  return kit.transactions.find({ account: call.account.name, operation, reference })
}

function referenceOf(call: Call, operation: MoneyOperation): string {
  return call.params[ID_NAMES[operation]] ?? ''
}
