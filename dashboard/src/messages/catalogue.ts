import type { catalogue } from './generated/en/catalogue.ts'
import type { Translated } from './translated.ts'

export type Catalogue = Translated<typeof catalogue>
