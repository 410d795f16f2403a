import type { Translated } from '../translated.ts'
import type {
  exceptions as englishExceptions,
  exceptionKinds as englishExceptionKinds,
} from '../en/exceptions.ts'

export const exceptions: Translated<typeof englishExceptions> = {
  title: 'الاستثناءات',
  kind: 'النوع',
  status: 'الحالة',
  statuses: { open: 'مفتوح', closed: 'مغلق' },
  mine: 'مُسند إلى',
  me: 'أنا',
  summary: 'ما تبيّن',
  held: 'محجوز',
  assignee: 'مُسند إلى',
  nobody: 'لا أحد',
  since: 'تاريخ التسجيل',
  empty: 'لا استثناءات',
  emptyText: 'يظهر هنا ما لا يجوز للخدمة أن تقرّره بنفسها، مثل دفعة غير محسومة.',
}

/** What each kind is called, and what it means. */
export const exceptionKinds: Translated<typeof englishExceptionKinds> = {
  outcome_unknown: {
    name: 'نتيجة غير معروفة',
    meaning: 'ربما نفّذ المزوّد الدفعة وربما لم ينفّذها. لا تُرسل مجددًا ولا تُعدّ فاشلة.',
  },
  pending_too_long: {
    name: 'معلّقة أكثر مما ينبغي',
    meaning: 'الدفعة لدى المزوّد ولم يُفد منذ أسبوع عن مصيرها.',
  },
  late_success: {
    name: 'نجاح متأخر',
    meaning: 'دُفعت دفعة كانت فاشلة، وهي الآن مكتملة.',
  },
  reversed_after_completion: {
    name: 'عُكست بعد الاكتمال',
    meaning: 'استعاد المزوّد دفعة كان قد أبلغ باكتمالها.',
  },
  payin_reversed: {
    name: 'عكس دفعة واردة',
    meaning: 'عاد مال الدافع وخُصم من رصيدك.',
  },
  payout_returned: { name: 'إعادة دفعة صادرة', meaning: 'أعاد مصرف المستلم دفعة صادرة.' },
  returned_to_account: {
    name: 'أُعيد إلى الحساب',
    meaning: 'رجع سحب وأُضيف إلى حسابه الافتراضي.',
  },
  money_after_end: { name: 'مال بعد الانتهاء', meaning: 'وصل مال لدفعة كانت قد انتهت.' },
  amount_differs: {
    name: 'اختلاف المبلغ',
    meaning: 'يبلّغ المزوّد عن مبلغ غير مبلغ الدفعة.',
  },
  resolution_contradicted: {
    name: 'تناقض مع القرار',
    meaning: 'يناقض المزوّد ما قرّره شخصان بشأن دفعة.',
  },
  refund_unknown: { name: 'استرداد غير معروف النتيجة', meaning: 'لا يُعرف ما إذا نُفّذ الاسترداد.' },
  refund_elsewhere: { name: 'استرداد خارج الخدمة', meaning: 'أُجري استرداد لدى المزوّد مباشرة.' },
  refund_unmatched: {
    name: 'استرداد بلا مطابق',
    meaning: 'يبلّغ المزوّد عن استرداد لا يطابق أيًّا من استرداداتنا.',
  },
  refund_exceeds_payment: {
    name: 'استرداد يتجاوز الدفعة',
    meaning: 'استُرد لدى المزوّد أكثر من مبلغ الدفعة.',
  },
  refund_after_failure: {
    name: 'استرداد بعد الفشل',
    meaning: 'نُفّذ استرداد كان قد فشل.',
  },
  refund_reversed: { name: 'عكس استرداد', meaning: 'رجع استرداد مكتمل.' },
  negative_balance: { name: 'رصيد سالب', meaning: 'الرصيد دون حدّه.' },
  dispute_of_unpaid: {
    name: 'نزاع على دفعة غير مدفوعة',
    meaning: 'ينازع دافع في دفعة غير مكتملة هنا.',
  },
  dispute_of_ramp: { name: 'نزاع على مبادلة', meaning: 'ينازع دافع في دفعة مبادلة.' },
  dispute_contradicted: {
    name: 'تناقض في النزاع',
    meaning: 'الرسائل المتعلقة بالنزاع لا تتفق فيما بينها.',
  },
  dispute_currency: {
    name: 'نزاع بعملة أخرى',
    meaning: 'حرّك نزاع أموالًا بعملة أخرى.',
  },
  dispute_exceeds_payment: {
    name: 'نزاع يتجاوز الدفعة',
    meaning: 'أعاد نزاع مع مبالغ مستردة أكثر مما دُفع.',
  },
  dispute_of_refunded: {
    name: 'نزاع على دفعة مستردة',
    meaning: 'ينازع دافع في دفعة استُردت: قد يُدفع له مرتين.',
  },
  dispute_action_unknown: {
    name: 'رد غير معروف النتيجة',
    meaning: 'لا يُعرف ما إذا وصل ردّنا على النزاع إلى المزوّد.',
  },
  ramp_underpaid: { name: 'مبادلة ناقصة الدفع', meaning: 'وصل أقل مما تتطلبه المبادلة.' },
  ramp_overpaid: { name: 'مبادلة زائدة الدفع', meaning: 'وصل أكثر مما تتطلبه المبادلة.' },
  ramp_paid_late: { name: 'مبادلة متأخرة الدفع', meaning: 'وصل المال بعد انتهاء صلاحية المبادلة.' },
  ramp_paid_again: { name: 'مبادلة مدفوعة مرتين', meaning: 'دُفعت مبادلة مرة ثانية.' },
  ramp_not_delivered: { name: 'مبادلة لم تُسلَّم', meaning: 'وصل المال وتعذّر صرفه.' },
  ramp_unknown: { name: 'مبادلة غير معروفة النتيجة', meaning: 'لا يُعرف مصير أحد شقّي المبادلة.' },
  ramp_amount_differs: {
    name: 'اختلاف مبلغ المبادلة',
    meaning: 'يبلّغ المزوّد عن مبلغ غير مبلغ الشق.',
  },
  ramp_reversed: { name: 'عكس مبادلة', meaning: 'استُعيد شق مكتمل من المبادلة.' },
  ramp_money_after_end: {
    name: 'مال بعد انتهاء المبادلة',
    meaning: 'وصل مال لمبادلة كانت قد انتهت.',
  },
  change_control_off: {
    name: 'ضبط التغييرات متوقف',
    meaning: 'أوقف المسؤول الوحيد في مؤسسة اشتراط الشخص الثاني.',
  },
  unknown_reference: {
    name: 'مرجع غير معروف',
    meaning: 'تذكر رسالة من مزوّد دفعة غير معروفة هنا.',
  },
  message_from_other_account: {
    name: 'رسالة من حساب آخر',
    meaning: 'أرسل حساب رسالة عن دفعة تخص حسابًا آخر.',
  },
  reconciliation_failed: {
    name: 'فشل المطابقة',
    meaning: 'تعذّرت قراءة قائمة حساب لدى مزوّد.',
  },
  reversal_missed: {
    name: 'عكس لم يُبلَّغ عنه',
    meaning: 'في قائمة المزوّد عملية عكس لم يُبلَّغ عنها.',
  },
  refund_missed: {
    name: 'استرداد لم يُبلَّغ عنه',
    meaning: 'في قائمة المزوّد استرداد لم يُبلَّغ عنه.',
  },
  deposit_taken_back: {
    name: 'إيداع مسترجَع',
    meaning: 'استرجع المزوّد إيداعًا سُجّل في حساب افتراضي.',
  },
  deposit_missed: {
    name: 'إيداع لم يُبلَّغ عنه',
    meaning: 'في قائمة المزوّد إيداع لم يُبلَّغ عنه.',
  },
  missing_here: {
    name: 'مفقودة هنا',
    meaning: 'في قائمة المزوّد دفعة غير معروفة هنا.',
  },
  missing_there: {
    name: 'مفقودة لدى المزوّد',
    meaning: 'إحدى دفعاتنا غير موجودة في قائمة المزوّد.',
  },
  state_differs: {
    name: 'اختلاف الحالة',
    meaning: 'حالة الدفعة في قائمة المزوّد غير حالتها لدينا.',
  },
  escrow_payout_failed: {
    name: 'فشل صرف من حساب الضمان',
    meaning: 'تعذّر صرف حصة من إحدى المراحل.',
  },
  unmatched_deposit: {
    name: 'إيداع بلا مطابق',
    meaning: 'وصل مال لا حساب افتراضي له. يبقى محجوزًا حتى يقرّر شخص.',
  },
}
