import { validationError, type AppError } from '../../../../lib/errors.ts'
import { longestSpanMs } from './rules.ts'
import type { BucketSize } from './record.ts'

const hourMs = 60 * 60_000

export const spanTooLong = (bucket: BucketSize): AppError =>
  validationError(`from: must be at most ${longestSpanMs[bucket] / hourMs} hours before to for this bucket`)
