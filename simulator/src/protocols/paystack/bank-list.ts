type BankType = 'nuban' | 'ghipss' | 'kepss' | 'basa' | 'mobile_money' | 'mobile_money_business'

export interface Bank {
  readonly id: number
  readonly name: string
  readonly code: string
  readonly slug: string
  readonly country: string
  readonly currency: string
  readonly type: BankType
}

type Entry = readonly [name: string, code: string]

const NIGERIAN_BANKS: readonly Entry[] = [
  ['Test Bank', '001'],
  ['Access Bank', '044'],
  ['Citibank Nigeria', '023'],
  ['Ecobank Nigeria', '050'],
  ['Fidelity Bank', '070'],
  ['First Bank of Nigeria', '011'],
  ['First City Monument Bank', '214'],
  ['Guaranty Trust Bank', '058'],
  ['Keystone Bank', '082'],
  ['Kuda Bank', '50211'],
  ['Moniepoint MFB', '50515'],
  ['OPay Digital Services Limited (OPay)', '999992'],
  ['PalmPay', '999991'],
  ['Polaris Bank', '076'],
  ['Providus Bank', '101'],
  ['Stanbic IBTC Bank', '221'],
  ['Standard Chartered Bank', '068'],
  ['Sterling Bank', '232'],
  ['Union Bank of Nigeria', '032'],
  ['United Bank For Africa', '033'],
  ['Unity Bank', '215'],
  ['Wema Bank', '035'],
  ['Zenith Bank', '057'],
]

const GHANAIAN_BANKS: readonly Entry[] = [
  ['Absa Bank Ghana Ltd', '030100'],
  ['CAL Bank Limited', '140100'],
  ['Ecobank Ghana Limited', '130100'],
  ['Fidelity Bank Ghana Limited', '240100'],
  ['GCB Bank Limited', '040100'],
  ['Guaranty Trust Bank (Ghana) Limited', '230100'],
  ['Stanbic Bank Ghana Limited', '190100'],
  ['Standard Chartered Bank Ghana Limited', '020100'],
  ['United Bank for Africa Ghana Limited', '060100'],
  ['Zenith Bank Ghana', '120100'],
]

const KENYAN_BANKS: readonly Entry[] = [
  ['Absa Bank Kenya Plc', '03'],
  ['Co-operative Bank of Kenya', '11'],
  ['Diamond Trust Bank Kenya Limited', '63'],
  ['Equity Bank', '68'],
  ['Family Bank', '70'],
  ['I&M Bank', '57'],
  ['KCB Bank', '01'],
  ['NCBA Bank Kenya', '07'],
  ['Stanbic Bank Kenya', '31'],
  ['Standard Chartered Bank Kenya', '02'],
]

const SOUTH_AFRICAN_BANKS: readonly Entry[] = [
  ['Absa Bank Limited, South Africa', '632005'],
  ['African Bank Limited', '430000'],
  ['Capitec Bank Limited', '470010'],
  ['Discovery Bank Limited', '679000'],
  ['First National Bank', '250655'],
  ['Investec Bank Limited', '580105'],
  ['Nedbank', '198765'],
  ['Standard Bank South Africa', '051001'],
  ['TymeBank', '678910'],
]

const GHANAIAN_TELCOS: readonly Entry[] = [
  ['AirtelTigo', 'ATL'],
  ['MTN', 'MTN'],
  ['Vodafone', 'VOD'],
]
const KENYAN_TELCOS: readonly Entry[] = [['M-PESA', 'MPESA']]
const KENYAN_TILLS: readonly Entry[] = [
  ['M-PESA Paybill', 'MPPAYBILL'],
  ['M-PESA Till', 'MPTILL'],
]

const GROUPS: readonly (readonly [string, string, BankType, readonly Entry[]])[] = [
  ['Nigeria', 'NGN', 'nuban', NIGERIAN_BANKS],
  ['Ghana', 'GHS', 'ghipss', GHANAIAN_BANKS],
  ['Ghana', 'GHS', 'mobile_money', GHANAIAN_TELCOS],
  ['Kenya', 'KES', 'kepss', KENYAN_BANKS],
  ['Kenya', 'KES', 'mobile_money', KENYAN_TELCOS],
  ['Kenya', 'KES', 'mobile_money_business', KENYAN_TILLS],
  ['South Africa', 'ZAR', 'basa', SOUTH_AFRICAN_BANKS],
]

export const BANKS: readonly Bank[] = GROUPS.flatMap(([country, currency, type, entries]) =>
  entries.map(([name, code]) => ({ name, code, slug: slugOf(name, type), country, currency, type })),
).map((bank, index) => ({ id: index + 1, ...bank }))

/** The codes of `/charge`; the list has them in capitals. */
const CHARGE_ALIASES: Readonly<Record<string, string>> = { mpesa_offline: 'MPESA' }

export function telcoOf(provider: string, currency: string): Bank | undefined {
  const code = CHARGE_ALIASES[provider] ?? provider.toUpperCase()
  return BANKS.find(
    (bank) => bank.type.startsWith('mobile_money') && bank.code === code && bank.currency === currency,
  )
}

export function bankOf(type: BankType, code: string): Bank | undefined {
  return BANKS.find((bank) => bank.type === type && bank.code === code)
}

function slugOf(name: string, type: BankType): string {
  const words = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return type === 'mobile_money' ? `${words}-mobile-money` : words
}
