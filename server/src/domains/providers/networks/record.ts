export interface NetworkRow {
  provider: string
  country: string
  code: string
  brand: string
  name: string
  currency: string
  directions: string[]
  minAmount: string | null
  maxAmount: string | null
  status: string
}
