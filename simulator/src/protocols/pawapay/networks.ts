export type AuthType = 'PROVIDER_AUTH' | 'PREAUTH' | 'REDIRECT_AUTH'
type Decimals = 'NONE' | 'TWO_PLACES'
export type PawapayOperation = 'DEPOSIT' | 'PAYOUT' | 'REFUND'

export interface Network {
  /** The code on the wire, such as MTN_MOMO_UGA. */
  readonly provider: string
  readonly displayName: string
  readonly country: string
  readonly currencies: readonly string[]
  readonly authType: AuthType
  readonly depositDecimals: Decimals
  readonly payoutDecimals: Decimals
  /** National prefixes for `predict-provider`. */
  readonly prefixes: readonly string[]
}

export interface Country {
  readonly country: string
  readonly displayName: string
  readonly callingCode: string
  /** The number of digits after the calling code. */
  readonly nationalLengths: readonly number[]
}

export const COUNTRIES: readonly Country[] = [
  country('BEN', 'Benin', '229', [8, 10]),
  country('BFA', 'Burkina Faso', '226', [8]),
  country('CIV', "Côte d'Ivoire", '225', [10]),
  country('CMR', 'Cameroon', '237', [9]),
  country('COD', 'Democratic Republic of the Congo', '243', [9]),
  country('COG', 'Republic of the Congo', '242', [9]),
  country('ETH', 'Ethiopia', '251', [9]),
  country('GAB', 'Gabon', '241', [8]),
  country('GHA', 'Ghana', '233', [9]),
  country('KEN', 'Kenya', '254', [9]),
  country('LSO', 'Lesotho', '266', [8, 9]),
  country('MOZ', 'Mozambique', '258', [9]),
  country('MWI', 'Malawi', '265', [9]),
  country('NGA', 'Nigeria', '234', [10]),
  country('RWA', 'Rwanda', '250', [9]),
  country('SEN', 'Senegal', '221', [9]),
  country('SLE', 'Sierra Leone', '232', [8]),
  country('TZA', 'Tanzania', '255', [9]),
  country('UGA', 'Uganda', '256', [9]),
  country('ZMB', 'Zambia', '260', [9]),
]

const WHOLE = { depositDecimals: 'NONE', payoutDecimals: 'NONE' } as const
const CENTS = { depositDecimals: 'TWO_PLACES', payoutDecimals: 'TWO_PLACES' } as const
const CENTS_OUT = { depositDecimals: 'NONE', payoutDecimals: 'TWO_PLACES' } as const

export const NETWORKS: readonly Network[] = [
  network('MTN_MOMO_BEN', 'MTN', ['XOF'], { ...WHOLE, prefixes: ['51', '61', '66', '96', '97', '01'] }),
  network('MOOV_BEN', 'Moov', ['XOF'], { ...WHOLE, prefixes: ['94', '95', '64', '65'] }),
  network('MOOV_BFA', 'Moov', ['XOF'], { ...WHOLE, prefixes: ['02', '60', '70'] }),
  network('ORANGE_BFA', 'Orange', ['XOF'], { ...WHOLE, authType: 'PREAUTH', prefixes: ['07', '64', '74'] }),
  network('MTN_MOMO_CMR', 'MTN', ['XAF'], { ...WHOLE, prefixes: ['65', '67', '68'] }),
  network('ORANGE_CMR', 'Orange', ['XAF'], { ...WHOLE, prefixes: ['69'] }),
  network('MTN_MOMO_CIV', 'MTN', ['XOF'], { ...WHOLE, prefixes: ['05'] }),
  network('ORANGE_CIV', 'Orange', ['XOF'], { ...WHOLE, prefixes: ['07'] }),
  network('WAVE_CIV', 'Wave', ['XOF'], { ...WHOLE, authType: 'REDIRECT_AUTH', prefixes: [] }),
  network('VODACOM_MPESA_COD', 'Vodacom', ['CDF', 'USD'], { ...CENTS, prefixes: ['81', '82', '83'] }),
  network('AIRTEL_COD', 'Airtel', ['CDF', 'USD'], { ...CENTS, prefixes: ['97', '99'] }),
  network('ORANGE_COD', 'Orange', ['CDF', 'USD'], { ...CENTS, prefixes: ['84', '85', '89'] }),
  network('AIRTEL_COG', 'Airtel', ['XAF'], { ...WHOLE, prefixes: ['05', '04'] }),
  network('MTN_MOMO_COG', 'MTN', ['XAF'], { ...WHOLE, prefixes: ['06'] }),
  network('MPESA_ETH', 'M-Pesa', ['ETB'], { ...CENTS, prefixes: ['7'] }),
  network('AIRTEL_GAB', 'Airtel', ['XAF'], { ...CENTS, prefixes: ['74', '77'] }),
  network('MTN_MOMO_GHA', 'MTN', ['GHS'], { ...CENTS, prefixes: ['24', '25', '53', '54', '55', '59'] }),
  network('AIRTELTIGO_GHA', 'AT', ['GHS'], { ...CENTS, prefixes: ['26', '27', '56', '57'] }),
  network('VODAFONE_GHA', 'Telecel', ['GHS'], { ...CENTS, prefixes: ['20', '50'] }),
  network('MPESA_KEN', 'M-Pesa', ['KES'], { ...CENTS_OUT, prefixes: ['7', '1'] }),
  network('MPESA_LSO', 'M-Pesa', ['LSL'], { ...CENTS, prefixes: ['5', '1'] }),
  network('AIRTEL_MWI', 'Airtel', ['MWK'], { ...CENTS, prefixes: ['99', '98'] }),
  network('TNM_MWI', 'TNM', ['MWK'], { ...CENTS, prefixes: ['88'] }),
  network('MOVITEL_MOZ', 'Movitel', ['MZN'], { ...CENTS_OUT, prefixes: ['86', '87', '10'] }),
  network('VODACOM_MOZ', 'Vodacom', ['MZN'], { ...CENTS, prefixes: ['84', '85'] }),
  network('MTN_MOMO_NGA', 'MTN', ['NGN'], { ...CENTS, prefixes: ['70', '80', '81'] }),
  network('AIRTEL_NGA', 'Airtel', ['NGN'], { ...WHOLE, prefixes: ['90', '91'] }),
  network('AIRTEL_RWA', 'Airtel', ['RWF'], { ...WHOLE, prefixes: ['72', '73'] }),
  network('MTN_MOMO_RWA', 'MTN', ['RWF'], { ...WHOLE, prefixes: ['78', '79'] }),
  network('FREE_SEN', 'Free', ['XOF'], { ...WHOLE, prefixes: ['76'] }),
  network('ORANGE_SEN', 'Orange', ['XOF'], { ...WHOLE, prefixes: ['77', '78'] }),
  network('WAVE_SEN', 'Wave', ['XOF'], { ...WHOLE, authType: 'REDIRECT_AUTH', prefixes: [] }),
  network('ORANGE_SLE', 'Orange', ['SLE'], { ...CENTS, prefixes: ['75', '76', '77', '78'] }),
  network('AIRTEL_TZA', 'Airtel', ['TZS'], { ...CENTS, prefixes: ['68', '69', '78'] }),
  network('VODACOM_TZA', 'Vodacom', ['TZS'], { ...WHOLE, prefixes: ['74', '75', '76'] }),
  network('TIGO_TZA', 'Tigo', ['TZS'], { ...WHOLE, prefixes: ['65', '67', '71'] }),
  network('HALOTEL_TZA', 'Halotel', ['TZS'], { ...WHOLE, prefixes: ['61', '62'] }),
  network('AIRTEL_OAPI_UGA', 'Airtel', ['UGX'], { ...WHOLE, prefixes: ['70', '74', '75', '20'] }),
  network('MTN_MOMO_UGA', 'MTN', ['UGX'], { ...CENTS, prefixes: ['76', '77', '78', '39'] }),
  network('AIRTEL_OAPI_ZMB', 'Airtel', ['ZMW'], { ...CENTS, prefixes: ['97', '77'] }),
  network('MTN_MOMO_ZMB', 'MTN', ['ZMW'], { ...CENTS, prefixes: ['96', '76'] }),
  network('ZAMTEL_ZMB', 'Zamtel', ['ZMW'], { ...CENTS, prefixes: ['95', '75'] }),
]

/** Real limits differ by account; clients read them from `active-conf`. */
export const MIN_AMOUNT = '1'
export const MAX_AMOUNT = '10000000'

const NETWORK_BY_CODE = new Map(NETWORKS.map((entry) => [entry.provider, entry]))
const COUNTRY_BY_CODE = new Map(COUNTRIES.map((entry) => [entry.country, entry]))

export function networkOf(provider: string): Network | undefined {
  return NETWORK_BY_CODE.get(provider)
}

export function decimalsOf(network: Network, operation: PawapayOperation): Decimals {
  return operation === 'DEPOSIT' ? network.depositDecimals : network.payoutDecimals
}

export function isPhoneOf(network: Network, phoneNumber: string): boolean {
  const home = COUNTRY_BY_CODE.get(network.country)
  return home !== undefined && /^\d+$/.test(phoneNumber) && fits(home, phoneNumber)
}

/** Normalizes a phone number as pawaPay does and predicts its operator. */
export function predictNetwork(input: string): { network: Network; phoneNumber: string } | undefined {
  const digits = input.replaceAll(/\D/g, '').replace(/^0+/, '')
  for (const home of COUNTRIES) {
    if (!digits.startsWith(home.callingCode)) continue
    const typed = digits.slice(home.callingCode.length)
    // A trunk zero after the calling code is a common mistake, but some national numbers start with a zero.
    const national = home.nationalLengths.includes(typed.length) ? typed : typed.replace(/^0/, '')
    const phoneNumber = `${home.callingCode}${national}`
    const network = NETWORKS.find(
      (entry) =>
        entry.country === home.country && entry.prefixes.some((prefix) => national.startsWith(prefix)),
    )
    if (network !== undefined && fits(home, phoneNumber)) return { network, phoneNumber }
  }
  return undefined
}

function fits(home: Country, phoneNumber: string): boolean {
  const length = phoneNumber.length - home.callingCode.length
  return phoneNumber.startsWith(home.callingCode) && home.nationalLengths.includes(length)
}

function country(
  code: string,
  displayName: string,
  callingCode: string,
  nationalLengths: readonly number[],
): Country {
  return { country: code, displayName, callingCode, nationalLengths }
}

type NetworkTraits = Pick<Network, 'depositDecimals' | 'payoutDecimals' | 'prefixes'> & {
  readonly authType?: AuthType
}

function network(
  provider: string,
  displayName: string,
  currencies: readonly string[],
  traits: NetworkTraits,
): Network {
  return {
    provider,
    displayName,
    country: provider.slice(-3),
    currencies,
    authType: 'PROVIDER_AUTH',
    ...traits,
  }
}
