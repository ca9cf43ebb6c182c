/** What families ask to change of what is kept of them. */
export const proposals = {
  proposed: 'المطلوب',
  stands: 'المسجَّل لدينا',
  acceptedFields: 'ما قُبل',
  decidedAt: 'وقت القرار',
  byName: 'مقدّم الطلب',
  changedSince: 'تغيّر في هذه الأثناء',
  seen: 'علامة الحالة المعروضة',
}
