"""NMEA sentences, read by pynmea2 and against known ones."""

import math

import pynmea2
import pytest

from outrider.devices.gps.sentences import (
    Epoch,
    Satellite,
    framed,
    gga,
    gll,
    gsa,
    gsv,
    rmc,
    vtg,
)

SATELLITES = tuple(
    Satellite(number, 10.0 + number % 70, (37.0 * number) % 360.0, number % 3 > 0)
    for number in (1, 4, 5, 9, 12, 24, 31, 65, 66, 70)
)
EPOCH = Epoch(
    time_ns=45_319_250_000_000,
    quality=1,
    latitude=48.1173,
    longitude=-11.516667,
    altitude=545.4,
    used=7,
    hdop=0.9,
    vdop=1.3,
    pdop=1.6,
    east=-3.0,
    north=4.0,
    satellites=SATELLITES,
)
LOST = Epoch(time_ns=1_000_000_000, quality=0, satellites=SATELLITES[:2])


def read(sentence):
    assert len(sentence) + 2 <= 82
    return pynmea2.parse(sentence, check=True)


@pytest.mark.parametrize(
    "sentence",
    [
        "$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47",
        "$GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W*6A",
        "$GPGSA,A,3,04,05,,09,12,,,24,,,,,2.5,1.3,2.1*39",
        "$GPVTG,165.48,T,,M,0.03,N,0.06,K,A*36",
    ],
)
def test_checksums_are_those_of_published_sentences(sentence):
    assert framed(sentence[1:-3]) == sentence


def test_gga_and_gll_tell_place_and_time():
    for sentence in (gga(EPOCH), gll(EPOCH)):
        message = read(sentence)
        assert message.latitude == pytest.approx(48.1173, abs=1e-7)
        assert message.longitude == pytest.approx(-11.516667, abs=1e-7)
        assert message.timestamp.isoformat() == "12:35:19.250000+00:00"
    message = read(gga(EPOCH))
    assert (message.gps_qual, int(message.num_sats)) == (1, 7)
    assert float(message.altitude) == 545.4
    assert float(message.horizontal_dil) == 0.9


def test_rmc_and_vtg_tell_speed_and_course():
    message = read(rmc(EPOCH))
    assert message.status == "A"
    assert message.spd_over_grnd == pytest.approx(5.0 / 0.514444, abs=0.01)
    assert message.true_course == pytest.approx(math.degrees(math.atan2(-3, 4)) % 360, abs=0.01)
    assert message.datestamp.isoformat() == "2026-01-01"
    message = read(vtg(EPOCH))
    assert float(message.spd_over_grnd_kmph) == pytest.approx(18.0, abs=0.01)


def test_satellites_are_listed_four_to_a_sentence_and_by_system():
    views = [read(sentence) for sentence in gsv(EPOCH)]
    assert [(v.talker, int(v.num_messages), int(v.msg_num)) for v in views] == [
        ("GP", 2, 1),
        ("GP", 2, 2),
        ("GL", 1, 1),
    ]
    assert views[0].sv_prn_num_1 == "01"
    assert float(views[0].azimuth_2) == (37 * 4) % 360
    assert views[0].snr_1 != ""
    assert views[0].snr_4 == ""  # number 9 is hidden
    used = [read(sentence) for sentence in gsa(EPOCH)]
    assert [one.mode_fix_type for one in used] == ["3", "3"]
    assert used[0].sv_id01 == "01"
    assert float(used[0].pdop) == 1.6


def test_without_a_fix_the_sentences_say_so():
    message = read(gga(LOST))
    assert (message.gps_qual, message.lat, message.altitude) == (0, "", None)
    assert read(rmc(LOST)).status == "V"
    assert read(gsa(LOST)[0]).mode_fix_type == "1"
    assert read(vtg(LOST)).spd_over_grnd_kts is None
    assert read(gll(LOST)).status == "V"
