import { AppError } from '../../../lib/errors.ts'

export const unreadableList = (reason: string): AppError =>
  new AppError('SANCTIONS_LIST_REFUSED', 422, `The list was not loaded: ${reason}.`)
