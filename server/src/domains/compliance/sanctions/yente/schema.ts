import { z } from 'zod'

/** From `GET /catalog`. The index has no version of a dataset that is only a part of another one, or was never loaded. */
const catalogDataset = z.object({
  name: z.string(),
  version: z.string().nullish(),
  index_version: z.string().nullish(),
  children: z.array(z.string()).nullish(),
})
export type CatalogDataset = z.infer<typeof catalogDataset>

export const catalogAnswer = z.object({ datasets: z.array(catalogDataset) })

const scoredEntity = z.object({
  id: z.string().min(1),
  caption: z.string().trim().min(1),
  schema: z.string(),
  /** Values that are no text are other entities. */
  properties: z.record(z.string(), z.array(z.unknown())),
  datasets: z.array(z.string()).default([]),
  score: z.number(),
  match: z.boolean(),
})
export type ScoredEntity = z.infer<typeof scoredEntity>

/** From `POST /match/{dataset}`, by the names of the queries. */
export const matchAnswer = z.object({
  responses: z.record(z.string(), z.object({ status: z.literal(200), results: z.array(scoredEntity) })),
})

/** A description of whom to find, in the words of FollowTheMoney. */
export interface EntityQuery {
  schema: 'LegalEntity' | 'Person' | 'Organization'
  properties: Readonly<Record<string, readonly string[]>>
}
