import { errorCodes } from '@switchyard/server/lib/error-codes.ts'
import { modelOf, type ApiModel } from './model.ts'
import type { OpenApiDocument } from './open-api.ts'

/** The model of the API, from the document of a server and the codes of its errors. */
export const apiModel = (document: object): ApiModel =>
  modelOf(
    document as OpenApiDocument, // Swagger types the documents of all its versions as one
    Object.entries(errorCodes).map(([code, { statuses, meaning }]) => ({ code, statuses, meaning })),
  )
