import { conflict, validationError, type AppError } from '../../../lib/errors.ts'

export const forbiddenEndpointUrl = (problem: string): AppError =>
  validationError(`endpoint_url: ${problem}.`, [{ path: 'endpoint_url', message: problem }])

export const endpointDisabled = (): AppError =>
  conflict(
    'The endpoint is disabled because no delivery succeeded for five days. Set its status to active first.',
  )

export const tooManyEndpoints = (limit: number): AppError =>
  conflict(`An organisation has at most ${limit} endpoints. Delete one that is no longer used.`)
