import { validationError, type AppError } from '../../../../lib/errors.ts'

export const unreadableList = (reason: string): AppError =>
  validationError(`The list was not loaded: ${reason}.`)
