import { conflict, notFound, type AppError } from '../../../lib/errors.ts'

export const noSuchVersion = (): AppError => notFound('The version of the routing policy')

export const notADraft = (version: number): AppError =>
  conflict(`Version ${version} is not a draft. Write a new draft, or roll back to an earlier version.`)

export const neverPublished = (version: number): AppError =>
  conflict(`Version ${version} is not an earlier published version. Only such a version can be restored.`)

export const nothingPublished = (): AppError => conflict('No routing policy is published.')

export const changedMeanwhile = (): AppError =>
  conflict('The routing policy has changed since this was requested. Ask for the change again.')
