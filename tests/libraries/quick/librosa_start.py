"""librosa: tempo, pitch, chroma, cepstra and segments of a second of sound"""
import librosa
import numpy as np

rate = 22050
t = np.arange(2 * rate) / rate
sound = np.sin(2 * np.pi * 440 * t) * (np.sin(2 * np.pi * 4 * t) > 0) + 0.1 * np.random.default_rng(1).standard_normal(t.size)


def show(name, values):
    values = np.asarray(values, dtype=float)
    print(name, *values.shape, "%.6g" % np.nansum(values), "%.6g" % np.nansum(np.abs(values[..., ::7])))


tempo, beats = librosa.beat.beat_track(y=sound, sr=rate)
show("beats", beats)
show("tempo", tempo)
show("crossings", librosa.feature.zero_crossing_rate(sound))
show("onsets", librosa.onset.onset_detect(y=sound, sr=rate))
show("cepstra", librosa.feature.mfcc(y=sound, sr=rate, n_mfcc=13))
pitch, voiced, chance = librosa.pyin(sound[:rate], fmin=200, fmax=900, sr=rate)
show("pitch", pitch)
show("chance", chance)
show("yin", librosa.yin(sound[:rate], fmin=200, fmax=900, sr=rate))
chroma = librosa.feature.chroma_stft(y=sound, sr=rate)
cost, path = librosa.sequence.dtw(chroma[:, :40], chroma[:, 20:70])
show("dtw", cost)
show("path", path)
show("viterbi", librosa.sequence.viterbi(np.full((3, 12), 0.3) + np.eye(3, 12) * 0.1,
                                         librosa.sequence.transition_loop(3, 0.7)))
show("recurrence", librosa.segment.recurrence_matrix(chroma, width=3))
show("rqa", librosa.sequence.rqa(np.eye(20) + 0.1)[0])
show("peaks", librosa.util.peak_pick(chroma[0], pre_max=2, post_max=2, pre_avg=2, post_avg=2, delta=0.01, wait=1))
show("maxima", librosa.util.localmax(chroma[0]))
