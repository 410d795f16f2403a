import type { Shortfall } from '../../../kernel/ledger/available.ts'
import { conflict, type AppError } from '../../../lib/errors.ts'
import { formatMinor } from '../../../lib/money/money.ts'

export const limitInUse = (currency: string, { remainingMinor }: Shortfall): AppError =>
  conflict(
    `The organisation uses ${formatMinor(-remainingMinor, currency)} ${currency} of its credit, so its limit cannot be lower.`,
  )
