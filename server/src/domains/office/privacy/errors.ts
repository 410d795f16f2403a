import { AppError, conflict } from '../../../lib/errors.ts'

export const cannotErase = (): AppError =>
  conflict(
    'This installation cannot erase anybody yet: its operator has to set PERSON_KEYS_DIR, and wait until it is adopted.',
  )

export const tooManyRecords = (limit: number): AppError =>
  conflict(`More than ${limit} payments are about this person. Erase them by payment_id first.`)

const notErasable = (message: string): AppError => new AppError('NOT_ERASABLE', 409, message)

export const stillOpen = (paymentId: string): AppError =>
  notErasable(
    `The payment ${paymentId} of this person, or a refund of it, has not ended. Erase the person then.`,
  )

export const stillDisputed = (paymentId: string): AppError =>
  notErasable(
    `The payment ${paymentId} of this person is disputed. Erase the person when the dispute is closed.`,
  )

export const stillScreened = (id: string): AppError =>
  notErasable(
    `What is known about ${id} must be kept for a check that has not ended, or for some years after it. Ask the operator.`,
  )

export const onLegalHold = (id: string): AppError =>
  notErasable(`${id} is under a legal hold, so its data must be kept. Lift the hold first.`)
