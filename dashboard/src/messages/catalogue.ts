import type { catalogue } from './en/catalogue.ts'
import type { Translated } from './translated.ts'

export type Catalogue = Translated<typeof catalogue>
