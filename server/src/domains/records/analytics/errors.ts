import { validationError, type AppError } from '../../../lib/errors.ts'

export const unknownTimeZone = (): AppError =>
  validationError('timeZone: must be the IANA name of a time zone, such as Africa/Lagos.', [
    { path: 'timeZone', message: 'is not the name of a time zone' },
  ])

export const badSpan = (limitDays: number): AppError =>
  validationError(`dateFrom must not be after dateTo, and they span at most ${limitDays} days.`, [
    { path: 'dateFrom', message: `must be at most ${limitDays} days before dateTo, and not after it` },
  ])
